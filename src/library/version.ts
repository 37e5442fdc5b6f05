/** The version of paylint. The build inserts it here, because beside a user's bundle there is no file to read it from. */
export { version } from '../package.ts';
