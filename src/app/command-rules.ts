import type { RunConfig } from '../config/run-config';
import type { CommandRules } from '../core/ports/command-rules';
import type { Tool } from '../core/ports/tool';
import { commandOutput, stopCommand } from '../tools/command-output';
import { runCommand } from '../tools/run-command';
import { ruledCommand } from '../tools/ruled-command';

/** Slots of the agents whose commands a person must allow where nothing confines them. */
export function isolatedSlots({ agents }: RunConfig): ReadonlySet<number> {
  return new Set(
    agents.flatMap(({ commandRules }, i) => (commandRules?.mustBeConfined === true ? [i + 1] : [])),
  );
}

const commandTools = new Set([runCommand.name, commandOutput.name, stopCommand.name]);

/** The tools of one agent, held to what the team file says about its commands. */
export function underRules(
  tools: readonly Tool[],
  rules: CommandRules | undefined,
): readonly Tool[] {
  if (rules?.isForbidden === true) {
    return tools.filter(({ name }) => !commandTools.has(name));
  }
  return rules === undefined
    ? tools
    : tools.map((tool) => (tool.name === runCommand.name ? ruledCommand(tool, rules) : tool));
}
