import type { BackendKind, BackendSettings } from '../core/ports/backend-kind';
import type { AgentInfo } from '../run/facts';

/** The part of an agent's facts that says what plays it: a model, or a program, which has a name for people. */
export type Player = Pick<AgentInfo, 'backend' | 'model' | 'family' | 'isProgram' | 'title'>;

/** A backend that is not among the kinds is known by its type alone. */
export function playerOf(backend: BackendSettings, kinds: readonly BackendKind[]): Player {
  const kind = kinds.find(({ type }) => type === backend.type);
  return {
    ...{ backend: backend.type, model: backend.model, family: kind?.familyOf(backend) ?? '' },
    ...(kind?.isProgram === true
      ? { isProgram: true, title: kind.titleOf?.(backend) ?? kind.title }
      : {}),
  };
}
