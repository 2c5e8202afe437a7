import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDuration, parseDuration } from '../src/duration.js';

test('reads seconds', () => {
  assert.equal(parseDuration('90s'), 90);
});

test('reads minutes', () => {
  assert.equal(parseDuration('5m'), 300);
});

test('reads hours', () => {
  assert.equal(parseDuration('2h'), 7200);
});

test('reads days', () => {
  assert.equal(parseDuration('3d'), 259200);
});

test('takes a bare number for seconds', () => {
  assert.equal(parseDuration('45'), 45);
});

test('reads decimals', () => {
  assert.equal(parseDuration('1.5h'), 5400);
});

test('allows a space before the unit', () => {
  assert.equal(parseDuration('90 s'), 90);
});

test('allows capital letters', () => {
  assert.equal(parseDuration('2H'), 7200);
});

test('ignores spaces around the text', () => {
  assert.equal(parseDuration('  10m '), 600);
});

test('adds up hours and minutes', () => {
  assert.equal(parseDuration('1h 30m'), 5400);
});

test('adds up all four units', () => {
  assert.equal(parseDuration('1d 2h 3m 4s'), 93784);
});

test('throws when there is no duration', () => {
  assert.throws(() => parseDuration('soon'), /Not a duration/);
});

test('writes hours and minutes', () => {
  assert.equal(formatDuration(5400), '1h 30m');
});

test('writes zero', () => {
  assert.equal(formatDuration(0), '0s');
});

test('rounds to whole seconds', () => {
  assert.equal(formatDuration(59.6), '1m');
});
