// Runs as a process of its own: registers a number of sessions, one after the other.
import { registerSession } from '../../../src/storage/session-registry';
import { realClock } from '../../support/real-clock';

const [file = '', name = '', count = '0'] = process.argv.slice(2);

async function register(): Promise<void> {
  for (let i = 0; i < Number(count); i++) {
    const entry = {
      session_id: `${name}${i}`,
      start_time: new Date(0).toISOString(),
      end_time: null,
      status: 'active',
      config_path: null,
      model: null,
      description: null,
      log_directory: null,
      data_path: '/storage',
      origin: 'cli',
    } as const;
    await registerSession({ file, clock: realClock }, entry, new AbortController().signal);
  }
}

void register();
