// What the pasted tests need of vitest, on node's own test runner, for machines without it.
import assert from 'node:assert/strict';

export { test } from 'node:test';

// All that is wanted of an object, and nothing else of it.
function stated(value, wanted) {
  if (Array.isArray(wanted) || wanted === null || typeof wanted !== 'object') return value;
  return Object.fromEntries(Object.keys(wanted).map((key) => [key, stated(value?.[key], wanted[key])]));
}

export function expect(value) {
  return {
    toEqual: (wanted) => assert.deepEqual(value, wanted),
    toMatchObject: (wanted) => assert.deepEqual(stated(value, wanted), wanted),
  };
}
