/**
 * The folder of the server's files: `src`, or `dist/server`. Only this module may derive a path from its own: the
 * bundle moves other modules to chunks, and keeps this one in its place.
 */
export const SERVER_FOLDER = new URL('../', import.meta.url);
