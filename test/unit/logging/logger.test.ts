import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { both, createLogger, type LogLine, withoutSecrets } from '../../../src/logging/logger';
import { fileSink } from '../../../src/logging/sinks';

function listening(level: LogLine['level'] = 'trace') {
  const lines: LogLine[] = [];
  const logger = createLogger({
    sinks: [{ write: (line) => lines.push(line) }],
    level,
    now: () => 5,
  });
  return { lines, logger };
}

describe('a logger', () => {
  it('drops what is below its level', () => {
    const { lines, logger } = listening('warn');
    logger.info('agent', 'no');
    logger.warn('agent', 'yes');
    expect(lines).toEqual([{ at: 5, level: 'warn', tag: 'agent', message: 'yes' }]);
  });

  it('tells the whole chain of causes', () => {
    const { lines, logger } = listening();
    logger.error('app', 'It broke', new Error('outer', { cause: new Error('inner') }));
    expect(lines[0]?.message).toMatch(/^It broke: Error: outer.*caused by Error: inner/s);
  });

  it('writes no secret, wherever it stands', () => {
    const { lines, logger } = listening();
    const clean = withoutSecrets(logger, (text) => text.replaceAll('S3CRET', '***'));
    clean.info('backend', 'key S3CRET');
    clean.error('backend', 'failed', new Error('x', { cause: 'S3CRET' }));
    expect(lines).toHaveLength(2);
    expect(JSON.stringify(lines)).not.toContain('S3CRET');
  });

  it('can tell two places', () => {
    const [a, b] = [listening(), listening()];
    both(a.logger, b.logger).info('app', 'hello');
    expect([a.lines.length, b.lines.length]).toEqual([1, 1]);
  });
});

describe('a log file', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'massgen-log-'));
  });
  afterEach(async () => {
    await rm(dir, { recursive: true, force: true });
  });
  const line = (message: string): LogLine => ({ at: 0, level: 'info', tag: 'app', message });

  it('is made with the first line, for the user alone', async () => {
    const sink = fileSink(join(dir, 'a', 'm.log'), 1_000);
    expect(await readdir(dir)).toEqual([]);
    sink.write(line('hello'));
    expect(await readFile(join(dir, 'a', 'm.log'), 'utf8')).toBe(
      '1970-01-01T00:00:00.000Z [info] app: hello\n',
    );
    expect((await stat(join(dir, 'a', 'm.log'))).mode & 0o777).toBe(0o600);
  });

  it('begins anew when it is full and keeps the one before', async () => {
    const path = join(dir, 'm.log');
    const sink = fileSink(path, 100);
    ['1', '2', '3', '4', '5'].forEach((text) => sink.write(line(text)));
    const [now, before] = await Promise.all(
      [path, `${path}.old`].map((file) => readFile(file, 'utf8')),
    );
    expect(`${before}${now}`.match(/\d$/gm)).toEqual(['3', '4', '5']);
  });

  it('goes silent when it cannot be written', () => {
    const sink = fileSink(join(dir, 'm.log', '\0'), 100);
    expect(() => sink.write(line('x'))).not.toThrow();
  });
});
