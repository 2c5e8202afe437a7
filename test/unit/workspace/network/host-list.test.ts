import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkTarget } from '../../../../src/workspace/network/dial';
import { HostList, parseTarget, targetText } from '../../../../src/workspace/network/host-list';

function read(text: string, defaultPort: number | undefined = 443): string | undefined {
  const target = parseTarget(text, defaultPort);
  return target === undefined ? undefined : targetText(target);
}

describe('a place is read in one spelling', () => {
  test.each([
    ['example.com', 'example.com:443'],
    ['EXAMPLE.com.:8443', 'example.com:8443'],
    ['BÜCHER.example', 'xn--bcher-kva.example:443'],
    ['xn--bcher-kva.example:80', 'xn--bcher-kva.example:80'],
    ['ｅｘａｍｐｌｅ．com', 'example.com:443'],
    ['my_host.local:1', 'my_host.local:1'],
    ['127.0.0.1:65535', '127.0.0.1:65535'],
    ['127.1', '127.0.0.1:443'],
    ['0x7f.0.0.1', '127.0.0.1:443'],
    ['017700000001', '127.0.0.1:443'],
    ['2130706433:80', '127.0.0.1:80'],
    ['127.0.0.1.', '127.0.0.1:443'],
    ['127。0。0。1', '127.0.0.1:443'],
    ['[::1]:80', '[::1]:80'],
    ['::1', '[::1]:443'],
    ['[0:0:0:0:0:0:0:1]', '[::1]:443'],
    ['[::ffff:127.0.0.1]', '127.0.0.1:443'],
    ['[::FFFF:7F00:1]:5', '127.0.0.1:5'],
    ['[FD00:EC2::254]', '[fd00:ec2::254]:443'],
  ])('%s is %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test.each([
    ...['', ':443', 'example.com:', 'example.com:0', 'example.com:65536', 'example.com:-1'],
    ...['example.com:443:443', 'user@example.com', 'user:key@example.com:443', 'a b.com'],
    ...['example.com\0.evil.example', 'exam\tple.com', 'example.com\n', ' example.com'],
    ...['http://example.com', 'example.com/path', 'example.com?x', 'example.com#x', 'a\\b'],
    ...['*.example.com', '*', 'exam%70le.com', 'example..com', 'example.com..', '.example.com'],
    ...['-a.example', `${'a'.repeat(64)}.example`, `${'a.'.repeat(130)}example`, '1.2.3.4.5'],
    ...[
      '[::1',
      '::1]',
      '[::1]x',
      '[fe80::1%25eth0]',
      '[1.2.3.4]',
      'example.com\u00a0',
      '999.1.1.1',
    ],
  ])('%j is no place', (text) => {
    expect(read(text)).toBeUndefined();
  });

  test('without a port there is none where none is usual', () => {
    expect(parseTarget('example.com', undefined)).toBeUndefined();
    expect(parseTarget('::1', undefined)).toBeUndefined();
  });

  test('whatever is read is read the same again, and means what addresses mean elsewhere', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.domain(),
          fc.ipV4Extended(),
          fc.ipV6().map((each) => `[${each}]`),
          fc.string({ unit: 'binary', maxLength: 30 }),
          fc.webAuthority({ withIPv4: true, withIPv6: true, withPort: true, withUserInfo: true }),
        ),
        (text) => {
          const once = read(text);
          if (once !== undefined) {
            expect(read(once)).toBe(once);
            expect(once).toMatch(/^([a-z0-9._-]+|\[[0-9a-f:]+\]):\d+$/);
            expect(text).not.toMatch(/[@/\\?#%*\0\s]/u);
          }
        },
      ),
      { seed: 20260, numRuns: 3000 },
    );
  });
});

describe('a list', () => {
  test('holds exactly its hosts and ports', () => {
    const list = new HostList(['Example.com', 'api.example.com:8080', '127.1:9', '[::1]']);
    const has = (text: string): boolean => {
      const target = parseTarget(text, undefined);
      return target !== undefined && list.has(target);
    };
    expect(
      [
        'example.com:443',
        'EXAMPLE.COM.:443',
        'api.example.com:8080',
        '2130706433:9',
        '[::1]:443',
      ].filter((each) => !has(each)),
    ).toEqual([]);
    expect(
      [
        ...['example.com:80', 'api.example.com:443', 'x.example.com:443', 'notexample.com:443'],
        ...['example.com.evil.example:443', 'com:443', '127.0.0.1:443', '[::2]:443'],
      ].filter(has),
    ).toEqual([]);
  });

  test('never allows a name that is not on it, whatever the spelling', () => {
    const list = new HostList(['allowed.example']);
    fc.assert(
      fc.property(fc.domain(), fc.integer({ min: 1, max: 65_535 }), (domain, port) => {
        const target = parseTarget(`${domain}:${port}`, undefined);
        const isListed = domain.toLowerCase() === 'allowed.example' && port === 443;
        expect(target !== undefined && list.has(target)).toBe(isListed);
      }),
      { seed: 7, numRuns: 1000 },
    );
  });

  test('is refused as a whole when one entry is no host', () => {
    expect(() => new HostList(['example.com', '*.example.com'])).toThrow(
      '“*.example.com” is no host that can be allowed.',
    );
  });
});

describe('any public host', () => {
  const anyPublic = new HostList('any-public');
  const to = (host: string, found: readonly string[] = []) =>
    checkTarget({ host, port: 443 }, anyPublic, async () => found);

  test('may be reached by name and by address', async () => {
    expect(await to('example.org', ['93.184.215.14'])).toMatchObject({ isAllowed: true });
    expect(await to('93.184.215.14')).toMatchObject({ isAllowed: true });
  });

  test.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', 'fd00::1'])(
    'is not %s, written so or found behind a name',
    async (address) => {
      expect(await to(address)).toMatchObject({ isAllowed: false });
      expect(await to('example.org', [address])).toMatchObject({ isAllowed: false });
    },
  );
});
