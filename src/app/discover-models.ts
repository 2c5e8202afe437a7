import { MassGenError } from '../core/errors';
import type { BackendSettings } from '../core/ports/backend-kind';
import type { Services } from './services';

/** Names of the models that a service offers now. Throws `backend/*`, `config/*` and `cancelled/*`. */
export async function discoverModels(
  { kinds, secrets, clock, logger }: Pick<Services, 'kinds' | 'secrets' | 'clock' | 'logger'>,
  settings: BackendSettings,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const kind = kinds.find(({ type }) => type === settings.type);
  if (kind?.discover === undefined) {
    throw new MassGenError(
      'backend/unavailable',
      `${kind?.title ?? settings.type} cannot tell which models it has.`,
      { hint: 'Write the name of the model as the service knows it.' },
    );
  }
  return kind.discover(settings, { secrets, clock, logger }, signal);
}
