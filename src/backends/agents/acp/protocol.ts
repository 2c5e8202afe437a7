// Starts an agent and brings it to the point where it can be prompted.
import { raceAbort } from '../../../base/abort';
import { isMassGenError } from '../../../core/errors';
import { asArray, asObject, asText } from '../../wire/json-reading';
import type { AgentProtocol, SessionPart, SessionPlace } from '../agent-session';
import { agentCapabilities } from '../agent-session';
import { bridgeName } from '../bridge/mcp-answers';
import { tooOld } from '../faults';
import { LineProgram } from '../line-program';
import type { KeptSignIn } from '../kept-sign-in';
import { SessionCosts } from '../session-costs';
import type { ConcealedSignIns } from '../sign-in';
import { type ProgramStart, startProgram } from '../start-program';
import type { ReadyServer } from '../tool-servers';
import { countEachPrompt } from './known-programs';
import type { AcpWire } from './protocol.lazy';
import { AcpSession } from './session';
import { StatedUsage } from './usage';

type Json = Readonly<Record<string, unknown>>;

export interface AcpProtocolParts {
  readonly start: ProgramStart;
  readonly servers: readonly ReadyServer[];
  /** Asked for over the protocol; `undefined`: the agent's own choice. */
  readonly model: string | undefined;
  readonly promptMs: number;
  readonly signIns: ConcealedSignIns;
  /** Files of the user that the agent can change. */
  readonly kept: readonly KeptSignIn[];
  /** Way of signing in that needs nobody; `undefined`: there is none. */
  readonly signInMethod: string | undefined;
}

/** Of the protocol. */
const version = 1;

export class AcpProtocol implements AgentProtocol {
  readonly capabilities = agentCapabilities;
  readonly #parts: AcpProtocolParts;
  readonly #costs = new SessionCosts();
  readonly #usage = new StatedUsage();

  constructor(parts: AcpProtocolParts) {
    this.#parts = parts;
  }

  get title(): string {
    return this.#parts.start.facts.title;
  }

  get promptMs(): number {
    return this.#parts.promptMs;
  }

  async open(
    place: SessionPlace,
    sessionId: string | undefined,
    emit: (part: SessionPart) => void,
    signal: AbortSignal,
  ): Promise<AcpSession> {
    const session = await this.#connect(place, signal);
    try {
      await raceAbort(this.#begin(session, place, { sessionId, emit }), signal);
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  async concealNew(): Promise<void> {
    await this.#parts.signIns.look();
  }

  async close(): Promise<void> {
    await Promise.all(this.#parts.kept.map(async (one) => one.restore()));
  }

  async #connect(place: SessionPlace, signal: AbortSignal): Promise<AcpSession> {
    const { bridge } = place;
    const { connectAcp } = await import('./protocol.lazy');
    const { start } = this.#parts;
    const parts = { args: [], sockets: [bridge.socketPath], readable: [bridge.tokenPath] };
    const started = await startProgram(start, parts, place, signal);
    const program: LineProgram = new LineProgram(started, (message) => wire.receive(message));
    const wire: AcpWire = connectAcp(program, {
      onUpdate: (params) => session.onUpdate(params),
      onPermission: async (request) => session.onPermission(request),
    });
    const cwd = start.workspace.roots[0]?.shownPath ?? '/';
    const isConfined = start.workspace.unconfinedProgramReason === undefined;
    const [costs, usage] = [this.#costs, this.#usage];
    const session: AcpSession = new AcpSession({
      ...{ facts: start.facts, program, wire, cwd, isConfined, costs, usage },
      offered: () => bridge.desk.offered.map(({ name }) => name),
    });
    return session;
  }

  async #begin(
    session: AcpSession,
    { bridge }: SessionPlace,
    about: {
      readonly sessionId: string | undefined;
      readonly emit: (part: SessionPart) => void;
    },
  ): Promise<void> {
    const { start, servers } = this.#parts;
    const hello = await session.ask('initialize', {
      protocolVersion: version,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: 'massgen', version: '1' },
    });
    if (hello['protocolVersion'] !== version) {
      const other = JSON.stringify(hello['protocolVersion'] ?? null);
      throw tooOld(start.facts, `it speaks version ${other} of the protocol, not ${version}`);
    }
    const can = asObject(hello['agentCapabilities']) ?? {};
    const { command, args, environment } = bridge.command;
    const own = { name: bridgeName, command, args, env: pairs(environment) };
    const params = {
      cwd: start.workspace.roots[0]?.shownPath ?? '/',
      mcpServers: [own, ...this.#usable(servers, can, about.emit)],
    };
    const hasPictures = asObject(can['promptCapabilities'])?.['image'] === true;
    const loaded =
      about.sessionId !== undefined && can['loadSession'] === true
        ? await this.#load(session, { ...params, sessionId: about.sessionId })
        : undefined;
    const agent = asText(asObject(hello['agentInfo'])?.['name']);
    this.#usage.begin(loaded !== undefined, countEachPrompt.has(agent));
    if (loaded !== undefined && about.sessionId !== undefined) {
      session.begin({ id: about.sessionId, isResumed: true, hasPictures });
      return;
    }
    const created = await this.#create(session, params, hello);
    this.#costs.begin(false);
    session.begin({ id: asText(created['sessionId']), isResumed: false, hasPictures });
    await this.#choose(session, created, about.emit);
  }

  /** An agent that wants a way of signing in to be named first is told the one that needs nobody. */
  async #create(session: AcpSession, params: Json, hello: Json): Promise<Json> {
    try {
      return await session.ask('session/new', params);
    } catch (error) {
      const { signInMethod: methodId } = this.#parts;
      const offered = asArray(hello['authMethods']).map((method) => asObject(method)?.['id']);
      if (!isMassGenError(error, 'backend/auth') || !offered.includes(methodId)) {
        throw error;
      }
      await session.ask('authenticate', { methodId });
      return session.ask('session/new', params);
    }
  }

  /** A session that cannot be found any more is begun anew. */
  async #load(session: AcpSession, params: Json): Promise<Json | undefined> {
    try {
      return await session.ask('session/load', params);
    } catch (error) {
      if (session.isOpen) {
        return undefined;
      }
      throw error;
    }
  }

  /** Servers that the agent can reach, in the form of the protocol. */
  #usable(
    servers: readonly ReadyServer[],
    can: Json,
    emit: (part: SessionPart) => void,
  ): readonly unknown[] {
    const transports = asObject(can['mcpCapabilities']) ?? {};
    return servers.flatMap((server): readonly unknown[] => {
      const { name } = server;
      if (server.allowedTools !== undefined || server.excludedTools.length > 0) {
        emit(notice('program-server-tools', `${this.title} offers all tools of ${name}.`));
      }
      if (server.type === 'stdio') {
        const { command, args, environment } = server;
        return [{ name, command, args, env: pairs(environment) }];
      }
      if (transports[server.type] !== true) {
        emit(notice('program-server-left-out', `${this.title} cannot use the server ${name}.`));
        return [];
      }
      return [{ type: server.type, name, url: server.url, headers: pairs(server.headers) }];
    });
  }

  /** The model that was asked for, and no mode in which a second model judges what the first one does. */
  async #choose(
    session: AcpSession,
    created: Json,
    emit: (part: SessionPart) => void,
  ): Promise<void> {
    const { model } = this.#parts;
    const { id: sessionId } = session;
    const modes = asObject(created['modes']);
    const ids = asArray(modes?.['availableModes']).map((mode) => asText(asObject(mode)?.['id']));
    if (modes?.['currentModeId'] === 'auto' && ids.includes('default')) {
      await session.ask('session/set_mode', { sessionId, modeId: 'default' });
    }
    if (model === undefined) {
      return;
    }
    const options = asArray(created['configOptions']).map(asObject);
    const option = options.find((each) => each?.['category'] === 'model');
    if (option === undefined) {
      const words = 'cannot be told which model to use; give it its own arguments for that.';
      emit(notice('program-model', `${this.title} ${words}`));
      return;
    }
    const configId = asText(option['id']);
    await session.ask('session/set_config_option', { sessionId, configId, value: model });
  }
}

function pairs(
  members: Readonly<Record<string, string>>,
): readonly { readonly name: string; readonly value: string }[] {
  return Object.entries(members).map(([name, value]) => ({ name, value }));
}

function notice(code: string, message: string): SessionPart {
  return { type: 'notice', code, message };
}
