import { describe, expect, test } from 'vitest';
import { openAddresses } from '../../../../src/workspace/network/open-addresses';

const never = new AbortController().signal;

describe('the addresses of a host', () => {
  test('are those that its name has now, looked up once', async () => {
    const asked: string[] = [];
    const of = openAddresses(async (host) => {
      asked.push(host);
      return ['1.1.1.1', '2606:4700:0::1111'];
    });
    expect(await of('a.example', never)).toEqual(['1.1.1.1', '2606:4700::1111']);
    expect(asked).toEqual(['a.example']);
  });

  test.each([
    ['a.example', ['127.0.0.1']],
    ['a.example', ['1.1.1.1', '10.0.0.1']],
    ['a.example', ['::ffff:169.254.169.254']],
    ['a.example', ['fe80::1%eth0']],
    ['127.0.0.1', []],
    ['[::1]', []],
    ['[::ffff:7f00:1]', []],
  ])('are refused for %s that leads to %j', async (host, found) => {
    await expect(openAddresses(async () => found)(host, never)).rejects.toMatchObject({
      code: 'tool/denied',
    });
  });

  test('need no look-up where the host is one', async () => {
    const of = openAddresses(async () => Promise.reject(new Error('asked')));
    expect(await of('[2606:4700::1]', never)).toEqual(['2606:4700::1']);
  });

  test('of a name that is not known are told as such', async () => {
    const of = openAddresses(async () => Promise.reject(new Error('ENOTFOUND')));
    await expect(of('no.example', never)).rejects.toThrow('There is no host no.example.');
  });
});
