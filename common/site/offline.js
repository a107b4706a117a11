/* Keeps the site's files, so that it works without a network after the first
   visit. VERSION and FILES are set by site.mjs. */
const NAME = `cuda-labs-${VERSION}`;

self.addEventListener('install', event => {
    event.waitUntil(caches.open(NAME).then(kept => kept.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener('activate', event => {
    event.waitUntil(caches.keys()
        .then(names => Promise.all(names.filter(name => name.startsWith('cuda-labs-') && name !== NAME)
            .map(name => caches.delete(name))))
        .then(() => self.clients.claim()));
});

self.addEventListener('fetch', event => {
    if (event.request.method === 'GET')
        event.respondWith(caches.match(event.request, { ignoreSearch: true })
            .then(found => found || fetch(event.request)));
});
