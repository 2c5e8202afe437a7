import * as vscode from 'vscode';
import { linkAbort } from '../../base/abort';
import { MassGenError } from '../../core/errors';
import type { App } from '../../app/app-contract';
import type { BackendSettings, ModelKind } from '../../core/ports/backend-kind';
import type { BackendPart } from '../../core/ports/model-backend';
import { toSentences } from '../problems';
import { knownServices, settingsOf } from '../../app/services-table';
import type { Services } from '../services';

/** Makes one minimal request with the key and tells what came of it. Called on the user's action only. */
export async function testKey(services: Services, name: string): Promise<void> {
  const use = await findUse(services, name);
  if (use === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('No team uses {0}, so there is nothing to test it with.', name),
    );
    return;
  }
  const { kind, settings } = use;
  const place = kind.hostOf(settings) ?? settings.model;
  const title = vscode.l10n.t('Testing {0} at {1}', name, place);
  const failure = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (_progress, token) => {
      const branch = linkAbort(services.signal);
      token.onCancellationRequested(() =>
        branch.abort(new MassGenError('cancelled/user', 'The test was stopped.')),
      );
      try {
        return await tryOnce(services, use, branch.signal);
      } finally {
        branch.dispose();
      }
    },
  );
  if (failure === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('{0} works at {1}.', name, place));
  } else {
    services.problems.report(`The test of ${name} failed.`, failure, (error) =>
      vscode.l10n.t('{0} was tested at {1}. {2}', name, place, toSentences(error)),
    );
  }
}

interface KeyUse {
  readonly kind: ModelKind;
  readonly settings: BackendSettings;
}

/** What went wrong, or `undefined` when the service answered. */
async function tryOnce(
  { secrets, clock, logger }: Services,
  { kind, settings }: KeyUse,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    const backend = await kind.create(settings, { secrets, clock, logger }, signal);
    try {
      const request = {
        step: { attempt: 0, slot: 1, turnNo: 1, call: 1 },
        task: 'Test of a key',
        system: 'Answer with the one word OK.',
        messages: [{ role: 'user', text: 'OK?' }],
        tools: [],
        maxOutputTokens: 16,
      } as const;
      return await failureOf(backend.stream(request, signal));
    } finally {
      await backend.close();
    }
  } catch (error) {
    logger.debug('backend', toSentences(error));
    return error;
  }
}

async function failureOf(parts: AsyncIterable<BackendPart>): Promise<unknown> {
  let failure: unknown;
  for await (const part of parts) {
    failure = 'error' in part ? part.error : undefined;
  }
  return failure;
}

/** An agent that uses the key, in any team of this window; else the service that the key is known for. */
async function findUse({ app, clock, teams }: Services, name: string): Promise<KeyUse | undefined> {
  const agents = (await teams.list()).flatMap(({ config }) => config?.agents ?? []);
  const uses = agents.flatMap(({ backend }): KeyUse[] => {
    const kind = app.backendKinds.find(({ type }) => type === backend.type);
    if (kind === undefined || kind.isProgram === true) {
      return [];
    }
    const names =
      backend.apiKeyName === undefined ? kind.keyNamesOf(backend) : [backend.apiKeyName];
    return names.includes(name) ? [{ kind, settings: backend }] : [];
  });
  return uses[0] ?? knownUse(app, clock.now(), name);
}

function knownUse(app: App, now: number, name: string): KeyUse | undefined {
  const service = knownServices(app.backendKinds, now).find(({ keyNames }) =>
    keyNames.includes(name),
  );
  const kind = app.backendKinds.find(({ type }) => type === service?.type);
  const model = service?.models[0];
  if (kind === undefined || kind.isProgram === true || model === undefined) {
    return undefined;
  }
  return { kind, settings: { ...settingsOf(kind, model), apiKeyName: name } };
}
