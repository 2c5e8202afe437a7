// Keys of MassGen at the top of a file and of an agent that have no effect here.
import { memoryBlock } from './memory-block';
import { checkpoint, hooks, permissions } from './permission-blocks';
import { text } from './scalars';
import { each, withoutEffect } from './without-effect';

const memory = withoutEffect('memory', memoryBlock);

export const originalTopKeys = {
  ...{ memory, hooks, permissions, checkpoint },
  ...each('display', ['display'], undefined, 'each surface has its own display'),
  ...each('other', ['version', 'defaults', 'preset'], undefined, 'nothing reads it'),
};

export const originalAgentKeys = {
  memory,
  ...each('prompts', ['append_system_prompt'], text(), 'use system_message'),
};
