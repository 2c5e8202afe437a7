// Drawings of 16 px in the color of the text beside them.
import type { ComponentChildren, JSX } from 'preact';
import account from '@vscode/codicons/src/icons/account.svg' with { type: 'text' };
import book from '@vscode/codicons/src/icons/book.svg' with { type: 'text' };
import comment from '@vscode/codicons/src/icons/comment.svg' with { type: 'text' };
import globe from '@vscode/codicons/src/icons/globe.svg' with { type: 'text' };
import refresh from '@vscode/codicons/src/icons/refresh.svg' with { type: 'text' };
import send from '@vscode/codicons/src/icons/send.svg' with { type: 'text' };
import debugPause from '@vscode/codicons/src/icons/debug-pause.svg' with { type: 'text' };
import debugStepOver from '@vscode/codicons/src/icons/debug-step-over.svg' with { type: 'text' };
import debugStepBack from '@vscode/codicons/src/icons/debug-step-back.svg' with { type: 'text' };
import plug from '@vscode/codicons/src/icons/plug.svg' with { type: 'text' };
import tools from '@vscode/codicons/src/icons/tools.svg' with { type: 'text' };
import history from '@vscode/codicons/src/icons/history.svg' with { type: 'text' };
import folderOpened from '@vscode/codicons/src/icons/folder-opened.svg' with { type: 'text' };
import check from '@vscode/codicons/src/icons/check.svg' with { type: 'text' };
import chevronDown from '@vscode/codicons/src/icons/chevron-down.svg' with { type: 'text' };
import chevronRight from '@vscode/codicons/src/icons/chevron-right.svg' with { type: 'text' };
import checklist from '@vscode/codicons/src/icons/checklist.svg' with { type: 'text' };
import circleSlash from '@vscode/codicons/src/icons/circle-slash.svg' with { type: 'text' };
import close from '@vscode/codicons/src/icons/close.svg' with { type: 'text' };
import copy from '@vscode/codicons/src/icons/copy.svg' with { type: 'text' };
import debugStop from '@vscode/codicons/src/icons/debug-stop.svg' with { type: 'text' };
import diffMultiple from '@vscode/codicons/src/icons/diff-multiple.svg' with { type: 'text' };
import saveAs from '@vscode/codicons/src/icons/save-as.svg' with { type: 'text' };
import discard from '@vscode/codicons/src/icons/discard.svg' with { type: 'text' };
import edit from '@vscode/codicons/src/icons/edit.svg' with { type: 'text' };
import ellipsis from '@vscode/codicons/src/icons/ellipsis.svg' with { type: 'text' };
import error from '@vscode/codicons/src/icons/error.svg' with { type: 'text' };
import eye from '@vscode/codicons/src/icons/eye.svg' with { type: 'text' };
import file from '@vscode/codicons/src/icons/file.svg' with { type: 'text' };
import folder from '@vscode/codicons/src/icons/folder.svg' with { type: 'text' };
import gitMerge from '@vscode/codicons/src/icons/git-merge.svg' with { type: 'text' };
import info from '@vscode/codicons/src/icons/info.svg' with { type: 'text' };
import insert from '@vscode/codicons/src/icons/insert.svg' with { type: 'text' };
import key from '@vscode/codicons/src/icons/key.svg' with { type: 'text' };
import law from '@vscode/codicons/src/icons/law.svg' with { type: 'text' };
import newFile from '@vscode/codicons/src/icons/new-file.svg' with { type: 'text' };
import pass from '@vscode/codicons/src/icons/pass.svg' with { type: 'text' };
import play from '@vscode/codicons/src/icons/play.svg' with { type: 'text' };
import sparkle from '@vscode/codicons/src/icons/sparkle.svg' with { type: 'text' };
import terminal from '@vscode/codicons/src/icons/terminal.svg' with { type: 'text' };
import warning from '@vscode/codicons/src/icons/warning.svg' with { type: 'text' };

const drawings = {
  account,
  book,
  comment,
  globe,
  refresh,
  send,
  'debug-pause': debugPause,
  'debug-step-over': debugStepOver,
  'debug-step-back': debugStepBack,
  plug,
  tools,
  history,
  'folder-opened': folderOpened,
  check,
  checklist,
  'circle-slash': circleSlash,
  'chevron-down': chevronDown,
  'chevron-right': chevronRight,
  close,
  copy,
  'debug-stop': debugStop,
  'diff-multiple': diffMultiple,
  discard,
  'save-as': saveAs,
  edit,
  ellipsis,
  error,
  eye,
  file,
  folder,
  'git-merge': gitMerge,
  info,
  insert,
  key,
  law,
  'new-file': newFile,
  pass,
  play,
  sparkle,
  terminal,
  warning,
};

/** Shapes of our own, drawn with a line of 1.2 px. */
const ownShapes = {
  vote: <path d="m8 2.5 5.5 5.5L8 13.5 2.5 8z" />,
  answer: <circle cx="8" cy="8" r="4.5" />,
  clock: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.5V8l2.5 1.5" />
    </>
  ),
  update: <path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h6M11 10l2 2 2-2" />,
  shield: <path d={shieldPath()} />,
  'shield-crossed': <path d={`${shieldPath()}M2 14 14 2`} />,
  ring: (
    <>
      <circle cx="8" cy="8" r="5.5" stroke-opacity=".35" />
      <path d="M8 2.5A5.5 5.5 0 0 1 13.5 8" />
    </>
  ),
} satisfies Readonly<Record<string, ComponentChildren>>;

function shieldPath(): string {
  return 'M8 1.5 13 3.5v4c0 3.5-2.2 5.7-5 7-2.8-1.3-5-3.5-5-7v-4z';
}

export type IconName = keyof typeof drawings | keyof typeof ownShapes;
export type IconTone = 'ok' | 'bad' | 'ask' | 'live' | 'dim';

interface IconProps {
  readonly name: IconName;
  readonly tone?: IconTone;
  readonly isSpinning?: boolean;
  /** Only where no word stands beside it. */
  readonly label?: string;
}

export function Icon({ name, tone, isSpinning, label }: IconProps): JSX.Element {
  const own = Object.entries(ownShapes).find(([shape]) => shape === name)?.[1];
  const classes = [
    'icon',
    own === undefined ? 'icon-filled' : '',
    tone ?? '',
    isSpinning ? 'spin' : '',
  ];
  const drawing = own === undefined ? drawn(name) : { viewBox: '0 0 16 16', paths: own };
  return (
    <svg
      class={classes.filter((part) => part !== '').join(' ')}
      viewBox={drawing.viewBox}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {drawing.paths}
    </svg>
  );
}

interface Drawing {
  readonly viewBox: string;
  readonly paths: ComponentChildren;
}

const parsed = new Map<string, Drawing>();

/** A drawing that was bundled as text; most are 16 units wide, some 24. */
function drawn(name: IconName): Drawing {
  const known = parsed.get(name);
  if (known !== undefined) {
    return known;
  }
  const text = Object.entries(drawings).find(([drawing]) => drawing === name)?.[1] ?? '';
  const drawing: Drawing = {
    viewBox: /viewBox="([^"]*)"/.exec(text)?.[1] ?? '0 0 16 16',
    paths: [...text.matchAll(/<path([^>]*)>/g)].map(([, attributes = '']) => (
      <path
        d={/ d="([^"]*)"/.exec(attributes)?.[1] ?? ''}
        {...(attributes.includes('fill-rule="evenodd"') ? { 'fill-rule': 'evenodd' as const } : {})}
      />
    )),
  };
  parsed.set(name, drawing);
  return drawing;
}
