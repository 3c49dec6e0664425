/**
 * Imported first by every script: an old Node would otherwise fail later, with a message about syntax. Written for
 * old versions too, so no syntax here that Node 14 does not know.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `Fanvas needs Node.js 20.19 or newer; this is ${process.versions.node}. Install a newer one from https://nodejs.org and try again.\n`,
  );
  process.exit(1);
}
