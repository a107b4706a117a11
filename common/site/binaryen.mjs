/* Binaryen in a page: of its package's 15 MB four fifths are saved by packing it. */
import { unpackedOf } from './fetched.mjs';

const script = new Blob([await unpackedOf('llvm-binaryen.js')], { type: 'text/javascript' });
export default (await import(URL.createObjectURL(script))).default;
