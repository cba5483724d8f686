// A whole service for the tests of the file that calls this: started and stopped by its hooks.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { Rest } from '../../bench/rig/service/rest.ts';
import { type Service, startService } from '../../bench/rig/service/service.ts';

interface Options {
  /** Done when it has started: a second `before` hook at the top of a file would not wait for the first. */
  prepare?: () => Promise<void>;
  /** Done before it is stopped. */
  close?: () => Promise<void>;
  /** Why the tests are skipped; then it is not started. */
  skip?: string | false;
}

/** One service for all tests of the file, and its first admin as a client. */
export function useService(
  environment: Record<string, string> = {},
  { prepare, close, skip = false }: Options = {},
): { service: Service; rest: Rest } {
  const service = {} as Service;
  if (skip === false) {
    before(async () => {
      Object.assign(service, await startService(environment));
      await prepare?.();
    });
    after(async () => {
      try {
        await close?.();
      } finally {
        assert.equal(await service.stop?.(), 0, 'SIGTERM ends the service with 0');
      }
    });
  }
  return { service, rest: new Rest(service) };
}
