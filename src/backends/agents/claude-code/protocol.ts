import type { BackendSettings } from '../../../core/ports/backend-kind';
import type { AgentProtocol, SessionPart, SessionPlace } from '../agent-session';
import { agentCapabilities } from '../agent-session';
import { LineProgram } from '../line-program';
import { promptMsOf } from '../options';
import { SessionCosts } from '../session-costs';
import type { ConcealedSignIns } from '../sign-in';
import { type ProgramStart, startProgram } from '../start-program';
import type { StateFolder } from '../state-folder';
import type { ReadyServer } from '../tool-servers';
import { claudeArguments, permissionModeOf, refusedRules, serverConfig } from './arguments';
import { ClaudeSession } from './session';

export interface ClaudeProtocolParts {
  readonly start: ProgramStart;
  readonly settings: BackendSettings;
  readonly servers: readonly ReadyServer[];
  readonly state: StateFolder;
  readonly signIns: ConcealedSignIns;
}

export class ClaudeProtocol implements AgentProtocol {
  readonly capabilities = agentCapabilities;
  readonly promptMs: number;
  readonly #parts: ClaudeProtocolParts;
  readonly #costs = new SessionCosts();

  constructor(parts: ClaudeProtocolParts) {
    this.#parts = parts;
    this.promptMs = promptMsOf(parts.settings.options);
  }

  get title(): string {
    return this.#parts.start.facts.title;
  }

  async open(
    place: SessionPlace,
    sessionId: string | undefined,
    _emit: (part: SessionPart) => void,
    signal: AbortSignal,
  ): Promise<ClaudeSession> {
    const { start, settings, servers } = this.#parts;
    const { bridge } = place;
    const file = await bridge.keep('servers.json', serverConfig(bridge.command, servers));
    const mode = permissionModeOf(settings);
    const parts = {
      args: claudeArguments(settings, file, { mode, resume: sessionId, servers }),
      sockets: [bridge.socketPath],
      readable: [bridge.tokenPath, file],
    };
    this.#costs.begin(sessionId !== undefined);
    const session = new ClaudeSession({
      ...{ facts: start.facts, servers, isResumed: sessionId !== undefined },
      ...{ costs: this.#costs, refused: refusedRules(settings) },
      cwd: start.workspace.roots[0]?.shownPath ?? '/',
      isConfined: start.workspace.unconfinedProgramReason === undefined,
    });
    const started = await startProgram(start, parts, place, signal);
    session.runsIn(new LineProgram(started, (message) => session.receive(message)));
    return session;
  }

  async concealNew(): Promise<void> {
    await this.#parts.signIns.look();
  }

  async close(): Promise<void> {
    await this.#parts.state.remove();
  }
}
