/**
 * Runs in the agent program's own view, started by it as a server of tools, by Node: joins its streams with our socket, after
 * the token. Everything else is said by this process. A text, so that nothing has to be read from a file that the program
 * may not see; without dollar signs, because programs replace what looks like a variable. Arguments: socket, file of the
 * token.
 */
export const bridgeSource = `'use strict';
const { readFileSync } = require('node:fs');
const { connect } = require('node:net');
const [path, tokenFile] = process.argv.slice(1);
const socket = connect(path, () => {
  socket.write(readFileSync(tokenFile));
  process.stdin.pipe(socket);
  socket.pipe(process.stdout);
});
socket.on('error', (error) => {
  process.stderr.write(error.message + '\\n');
  process.exit(1);
});
socket.on('close', () => process.exit(0));
process.stdout.on('error', () => process.exit(0));
`;
