import { socketName } from '../network/proxy';

/** Marks variables that are meant for the program: what starts it must not obey them itself. */
export const variablePrefix = 'MASSGEN_PROGRAM_';

/** Paths under which the launcher reports to the proxy. */
export const begunPath = '/begun';
export const failedPath = '/failed/';

/**
 * Runs in the sandbox, by Node: offers the proxy's socket under an address of the sandbox's own loopback, starts the program
 * with the same three streams, and ends with it. A text, so that nothing has to be read from a file that the sandbox may
 * not show. Arguments: the folder of the socket, the program, its arguments.
 */
export const launcherSource = String.raw`'use strict';
const { spawn } = require('node:child_process');
const { openSync } = require('node:fs');
const { request } = require('node:http');
const { connect, createServer } = require('node:net');
const { constants } = require('node:os');

const [folder, program, ...rest] = process.argv.slice(1);
const path = '/proc/self/fd/' + openSync(folder, 'r') + '/${socketName}';

function report(about) {
  return new Promise((resolve) => {
    const told = request({ socketPath: path, path: about, agent: false }, (answer) => {
      answer.resume();
      answer.on('close', resolve);
    });
    told.on('error', resolve);
    told.end();
  });
}

function variables(port) {
  const own = Object.entries(process.env)
    .filter(([name]) => name.startsWith('${variablePrefix}'))
    .map(([name, value]) => [name.slice('${variablePrefix}'.length), value]);
  const address = 'http://127.0.0.1:' + port;
  const all = { ...Object.fromEntries(own), NODE_USE_ENV_PROXY: '1' };
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) {
    all[name] = all[name.toLowerCase()] = address;
  }
  all.NO_PROXY = all.no_proxy = '';
  return all;
}

const server = createServer({ allowHalfOpen: true }, (inner) => {
  const outer = connect({ path, allowHalfOpen: true });
  for (const [from, to] of [[inner, outer], [outer, inner]]) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.once('close', () => from.readableEnded || to.destroy());
  }
});

// They are meant for the program, and come to every process of the group.
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
  process.on(name, () => undefined);
}

server.listen(0, '127.0.0.1', () => {
  const child = spawn(program, rest, { stdio: 'inherit', env: variables(server.address().port) });
  let told = Promise.resolve();
  child.once('spawn', () => (told = report('${begunPath}')));
  child.once('error', (error) => {
    void report('${failedPath}' + encodeURIComponent(error.message)).then(() => process.exit(127));
  });
  child.once('exit', (code, signal) => {
    void told.then(() => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
});
`;
