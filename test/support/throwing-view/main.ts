// Draws on the whole screen, reads keys, and then breaks where nobody catches it.
import { listenForKeys } from '../../../src/cli/live-view/keys';
import { Painter } from '../../../src/cli/live-view/painter';
import { restoring } from '../../../src/cli/live-view/restoring';

const painter = new Painter(process.stdout);
restoring(() => painter.leave());
painter.enter();
painter.paint(['a page of its own']);
listenForKeys({ stream: process.stdin, isInteractive: true }, () => {
  throw new Error('broken by a key');
});
