import { styled, type Terminal } from './terminal';

export function printSection(heading: string, lines: readonly string[], terminal: Terminal): void {
  const body = lines.map((line) => (line === '' ? '\n' : `  ${line}\n`)).join('');
  terminal.write(`\n${styled(heading, 'bold', terminal)}\n${body}`);
}
