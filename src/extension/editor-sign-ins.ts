import * as vscode from 'vscode';
import { raceAbort } from '../base/abort';
import type { SignIns } from '../core/ports/sign-ins';
import { openAddress } from './open-address';

/** Signs in to servers of tools by the browser that belongs to this editor, wherever its extensions run. */
export class EditorSignIns implements SignIns {
  readonly #storage: vscode.SecretStorage;

  constructor(storage: vscode.SecretStorage) {
    this.#storage = storage;
  }

  async ask(
    { server, host }: { readonly server: string; readonly host: string },
    signal: AbortSignal,
  ): Promise<boolean> {
    const signIn = vscode.l10n.t('Sign In');
    const question = vscode.l10n.t(
      'The tool server “{0}” ({1}) wants a sign-in in the browser.',
      server,
      host,
    );
    const answer = vscode.window.showInformationMessage(question, signIn, vscode.l10n.t('Not Now'));
    return (await raceAbort(Promise.resolve(answer), signal)) === signIn;
  }

  async open(address: string): Promise<boolean> {
    return openAddress(address);
  }

  async reachable(address: string): Promise<string> {
    return (await vscode.env.asExternalUri(vscode.Uri.parse(address, true))).toString(true);
  }

  async load(name: string): Promise<string | undefined> {
    return this.#storage.get(name);
  }

  async keep(name: string, secret: string | undefined): Promise<void> {
    await (secret === undefined ? this.#storage.delete(name) : this.#storage.store(name, secret));
  }
}
