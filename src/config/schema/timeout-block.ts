import { mapping, nullable } from './collections';
import { inSeconds, seconds, setting } from './settings';
import { field } from './spec';

const limit = seconds({ above: 0, maximum: 7 * 86_400 });
const pause = seconds({ minimum: 0, maximum: 86_400 });
const shown = { show: inSeconds };

export const timeoutKeys = {
  orchestrator_timeout_seconds: field(nullable(limit), 'Deadline of the team in seconds.', {
    defaultText: '1800',
  }),
  initial_round_timeout_seconds: field(
    nullable(limit),
    'After this time an agent is asked to finish its first turn, in seconds.',
    { defaultText: '900 (recommended), null (compat)' },
  ),
  subsequent_round_timeout_seconds: field(
    nullable(limit),
    'After this time an agent is asked to finish a later turn, in seconds.',
    { defaultText: '900 (recommended), null (compat)' },
  ),
  round_timeout_grace_seconds: setting(
    'turnGraceMs',
    pause,
    'From being asked to finish until ordinary tools are refused, in seconds.',
    shown,
  ),
  hard_kill_seconds: setting(
    'hardKillMs',
    pause,
    'From then until the turn is ended, in seconds.',
    shown,
  ),
  presentation_timeout_seconds: setting(
    'presentationTimeoutMs',
    limit,
    'Limit of the final presentation in seconds.',
    shown,
  ),
  post_evaluation_timeout_seconds: setting(
    'postEvaluationTimeoutMs',
    limit,
    'Limit of the look at the finished work in seconds.',
    shown,
  ),
};

export const timeoutBlock = mapping(timeoutKeys, 'warning');
