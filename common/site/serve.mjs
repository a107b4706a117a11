/* serve.mjs FOLDER [PORT]: shows a folder of static files on 127.0.0.1. */
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';

const TYPES = { html: 'text/html; charset=utf-8', js: 'text/javascript', css: 'text/css', json: 'application/json',
    svg: 'image/svg+xml', png: 'image/png', wasm: 'application/wasm', gz: 'application/octet-stream' };

/* Returns the server, which listens. */
export function serve(folder, port = 0) {
    const server = http.createServer((request, answer) => {
        const name = decodeURIComponent(new URL(request.url, 'http://x').pathname).replace(/\/$/, '/index.html');
        const file = path.join(folder, path.normalize(name));

        if (!fs.existsSync(file) || fs.statSync(file).isDirectory()) {
            answer.writeHead(404).end('not there\n');
            return;
        }
        /* As common servers do: what has not changed is not sent again. */
        const { size, mtimeMs } = fs.statSync(file), etag = `"${size}-${mtimeMs}"`;
        if (request.headers['if-none-match'] === etag) {
            answer.writeHead(304).end();
            return;
        }
        answer.writeHead(200, { etag, 'content-type': TYPES[name.split('.').at(-1)] || 'application/octet-stream',
            'content-length': size });
        fs.createReadStream(file).pipe(answer);
    });
    return new Promise((begun, failed) => server.on('error', failed)
        .listen(port, '127.0.0.1', () => begun(server)));
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
    const [, , folder, port = '8000'] = process.argv;
    try {
        await serve(folder, +port);
        console.log(`site: http://127.0.0.1:${port}/, Ctrl-C ends it`);
    } catch (error) {
        console.error(`site: port ${port} cannot be used (${error.code}): make site WHAT=look PORT=8080`);
        process.exit(2);
    }
}
