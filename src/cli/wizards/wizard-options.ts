import type { ExitCode } from '../exit-codes';

export interface WizardOptions {
  readonly storage: string | undefined;
  readonly debug: boolean;
  /** Goes on as if these arguments had been given to `massgen`. */
  readonly run: (args: readonly string[]) => Promise<ExitCode>;
}

export interface QuickstartOptions extends WizardOptions {
  /** Where the team file is written, as given; `undefined`: `.massgen/config.yaml` of the current folder. */
  readonly config: string | undefined;
  /** Nobody is asked, also in a terminal. */
  readonly headless: boolean;
  /** One entry for each agent, as written: `id=a,backend=claude,model=claude-sonnet-5-5`; empty: from what is found. */
  readonly agents: readonly string[];
  /** Replaces a file that is there, where nobody is asked. */
  readonly force: boolean;
}

/** The values of `--config-…`, as written. */
export interface GenerateOptions extends WizardOptions {
  readonly path: string;
  readonly backend: string | undefined;
  readonly model: string | undefined;
  readonly agents: string | undefined;
  readonly agentId: string | undefined;
  readonly isDocker: boolean;
  readonly contextPath: string | undefined;
  readonly force: boolean;
}
