import type { CheckProposal } from '../../../core/ports/checks';
import type { CheckKind } from '../../../run/check-facts';
import { type ProjectFiles, proposal } from './project-files';

interface PythonTool {
  readonly kind: CheckKind;
  readonly command: string;
  /** Any of these files sets it up, or a table of pyproject.toml, or a section of setup.cfg. */
  readonly files: readonly string[];
  readonly table: string;
  readonly section: string;
}

const pythonTools: readonly PythonTool[] = [
  {
    ...{ kind: 'types', command: 'mypy .', files: ['mypy.ini', '.mypy.ini'] },
    ...{ table: '[tool.mypy', section: '[mypy]' },
  },
  {
    ...{ kind: 'lint', command: 'ruff check .', files: ['ruff.toml', '.ruff.toml'] },
    ...{ table: '[tool.ruff', section: '[ruff]' },
  },
  {
    ...{ kind: 'test', command: 'pytest' },
    files: ['pytest.ini', 'conftest.py', 'tests/conftest.py', 'test/conftest.py'],
    ...{ table: '[tool.pytest', section: '[tool:pytest]' },
  },
];

/** Tools of a Python project, by the files that set them up. */
export async function pythonProposals(files: ProjectFiles): Promise<readonly CheckProposal[]> {
  const start = await runnerOf(files);
  const found: CheckProposal[] = [];
  const add = (kind: CheckKind, command: string, source: string): void => {
    const name = command.split(' ')[0] ?? command;
    found.push(proposal({ name, kind, command: `${start}${command}` }, source));
  };
  for (const tool of pythonTools) {
    const source = await setUpBy(tool, files);
    if (source !== undefined) {
      add(tool.kind, tool.command, source);
    }
  }
  if (!found.some(({ spec }) => spec.kind === 'test') && (await files.has('tox.ini'))) {
    add('test', 'tox', 'tox.ini');
  }
  return found;
}

async function setUpBy(tool: PythonTool, files: ProjectFiles): Promise<string | undefined> {
  const own = await firstOf(files, tool.files);
  const hasLine = async (name: string, start: string): Promise<boolean> =>
    ((await files.read(name)) ?? '').split('\n').some((line) => line.startsWith(start));
  if (own !== undefined) {
    return own;
  }
  if (await hasLine('pyproject.toml', tool.table)) {
    return 'pyproject.toml';
  }
  return (await hasLine('setup.cfg', tool.section)) ? 'setup.cfg' : undefined;
}

/** What puts a command into the project's own environment. */
async function runnerOf(files: ProjectFiles): Promise<string> {
  if (await files.has('uv.lock')) {
    return 'uv run ';
  }
  return (await files.has('poetry.lock')) ? 'poetry run ' : '';
}

async function firstOf(files: ProjectFiles, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    if (await files.has(name)) {
      return name;
    }
  }
  return undefined;
}

const targets: Readonly<Record<string, CheckKind>> = { test: 'test', check: 'test', lint: 'lint' };

/** Targets of a Makefile, by the names that such targets usually have. */
export async function makeProposals(files: ProjectFiles): Promise<readonly CheckProposal[]> {
  const file = await firstOf(files, ['GNUmakefile', 'makefile', 'Makefile']);
  const text = file === undefined ? '' : ((await files.read(file)) ?? '');
  const declared = new Set(
    text
      .split('\n')
      .flatMap((line) => /^([\w. -]+):(?![:=])/.exec(line)?.[1]?.trim().split(/\s+/) ?? []),
  );
  return Object.entries(targets).flatMap(([name, kind]) =>
    declared.has(name)
      ? [
          proposal(
            { name: `make ${name}`, kind, command: `make ${name}` },
            `${file ?? ''}, target ${name}`,
          ),
        ]
      : [],
  );
}

export async function compiledProposals(files: ProjectFiles): Promise<readonly CheckProposal[]> {
  const cargo: readonly (readonly [CheckKind, string])[] = [
    ['build', 'cargo check'],
    ['test', 'cargo test'],
  ];
  const go: readonly (readonly [CheckKind, string])[] = [
    ['build', 'go build ./...'],
    ['lint', 'go vet ./...'],
    ['test', 'go test ./...'],
  ];
  const found: CheckProposal[] = [];
  for (const [file, commands] of [
    ['Cargo.toml', cargo],
    ['go.mod', go],
  ] as const) {
    if (await files.has(file)) {
      found.push(
        ...commands.map(([kind, command]) =>
          proposal({ name: command.replace(' ./...', ''), kind, command }, file),
        ),
      );
    }
  }
  return found;
}
