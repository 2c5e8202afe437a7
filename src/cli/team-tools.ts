import { createTeamTools, type TeamTools } from '../app/team-tools';
import { keySource, variableSource } from './key-source';
import { systemClock } from './system-clock';
import type { World } from './world';

export function teamToolsOf(world: World): TeamTools {
  return createTeamTools({
    installDir: world.installDir,
    clock: systemClock,
    secrets: keySource(world),
    variables: variableSource(world),
  });
}
