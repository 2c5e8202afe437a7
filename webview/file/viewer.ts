// Stands in for the editor in a file that shows one run: hands the recorded messages to the panel, and colors it as the
// system is colored. Runs before the panel's own script and asks nobody for anything.
import './themes.css';
import './file.css';

const dark = window.matchMedia('(prefers-color-scheme: dark)');
const contrast = window.matchMedia('(prefers-contrast: more)');
const forced = window.matchMedia('(forced-colors: active)');
const still = window.matchMedia('(prefers-reduced-motion: reduce)');

/** The names are those of `themes.css` and of the classes that an editor gives to its pages. */
function dress(): void {
  const shade = dark.matches ? 'dark' : 'light';
  const isHigh = contrast.matches || forced.matches;
  const high = ['vscode-high-contrast', ...(dark.matches ? [] : ['vscode-high-contrast-light'])];
  document.documentElement.dataset['theme'] = isHigh ? `hc-${shade}` : shade;
  document.body.className = [
    ...(isHigh ? high : [`vscode-${shade}`]),
    ...(still.matches ? ['vscode-reduce-motion'] : []),
  ].join(' ');
}

function recordedMessages(): readonly unknown[] {
  const found: unknown = JSON.parse(document.getElementById('record')?.textContent ?? '[]');
  return Array.isArray(found) ? found : [];
}

let remembered: unknown;

Object.assign(globalThis, {
  acquireVsCodeApi: () => ({
    postMessage(message: { readonly type: string }): void {
      if (message.type === 'ready') {
        for (const data of recordedMessages()) {
          window.dispatchEvent(new MessageEvent('message', { data }));
        }
      }
    },
    getState: () => remembered,
    setState(state: unknown): void {
      remembered = state;
    },
  }),
});

dress();
for (const query of [dark, contrast, forced, still]) {
  query.addEventListener('change', dress);
}
