// The parts of vitest that pasted tests need, on node's own test runner, for machines without vitest.
import assert from 'node:assert/strict';

export { test } from 'node:test';

// Returns the expected members of an object, and no others.
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
