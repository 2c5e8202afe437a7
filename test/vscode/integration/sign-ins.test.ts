import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite, test } from 'mocha';
import { env, type SecretStorage, UIKind } from 'vscode';
import { MassGenError } from '../../../src/core/errors';
import { EditorSignIns } from '../../../src/extension/editor-sign-ins';

/** The system's store of secrets. */
class MapStorage implements Pick<SecretStorage, 'get' | 'store' | 'delete'> {
  readonly values = new Map<string, string>();

  async get(name: string): Promise<string | undefined> {
    return this.values.get(name);
  }

  async store(name: string, secret: string): Promise<void> {
    this.values.set(name, secret);
  }

  async delete(name: string): Promise<void> {
    this.values.delete(name);
  }
}

function signIns(): { readonly signIns: EditorSignIns; readonly storage: MapStorage } {
  const storage = new MapStorage();
  // Nothing else of it is used.
  return { signIns: new EditorSignIns(storage as unknown as SecretStorage), storage };
}

suite('sign-ins to servers of tools', () => {
  test('the browser is sent back by the way on which this editor reaches its own machine', async () => {
    const back = new URL(await signIns().signIns.reachable('http://127.0.0.1:43210/signed-in'));
    // The server of an editor in a browser puts itself before the port.
    assert.match(back.href, /^https?:\/\/.*43210\/signed-in$/);
  });

  test('a page is opened character for character, also where a value of its query has escapes', async function () {
    if (env.uiKind !== UIKind.Web) this.skip(); // it would be the browser of this desktop
    const paths: string[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url ?? '');
      response.writeHead(200, { 'content-type': 'text/plain' }).end('Here.');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const path =
        '/authorize?resource=https%3A%2F%2Fa.example%2F%3Fb%3D1%26c%3D2%23d&scope=e%2Bf%20g+h%25';
      const asked = once(server, 'request');
      // A name of this machine is trusted, and not led there by a way of the editor's own as the address would be.
      assert.equal(
        await signIns().signIns.open(`http://sign-in.localhost:${String(port)}${path}`),
        true,
      );
      await asked;
      assert.equal(paths[0], path);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('a question ends with the agent that it was for', async () => {
    const stop = new AbortController();
    const asked = signIns().signIns.ask({ server: 'notes', host: 'notes.example' }, stop.signal);
    stop.abort(new MassGenError('cancelled/user', 'Stopped.'));
    await assert.rejects(asked, { code: 'cancelled/user' });
  });

  test('what is kept is found again, and forgotten when it is over', async () => {
    const { signIns: kept, storage } = signIns();
    await kept.keep('massgen.toolServer.a', 'secret');
    assert.equal(await kept.load('massgen.toolServer.a'), 'secret');
    await kept.keep('massgen.toolServer.a', undefined);
    assert.equal(await kept.load('massgen.toolServer.a'), undefined);
    assert.equal(storage.values.size, 0);
  });
});
