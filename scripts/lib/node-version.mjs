/**
 * The first import of every script: an unsupported Node would otherwise fail later, with a message about syntax. The
 * versions are those of `engines` in package.json. The syntax here must run on Node 14.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const supported = (major === 20 && minor >= 19) || (major === 22 && minor >= 13) || major >= 24;

if (!supported) {
  process.stderr.write(
    `Fanvas needs Node.js 20.19, 22.13 or 24, or newer; this is ${process.versions.node}. ` +
      'Install one from https://nodejs.org and try again.\n',
  );
  process.exit(1);
}
