// node:test blames the right test for an error that nobody catches. To know it, it follows each promise until that is
// collected: a sixth of the tests' processor time, most of it in the collector. Loaded before node:test, this lets each
// resource carry the id of its test instead, and the collector has nothing to tell.
import hooks from 'node:async_hooks';

const { createHook, executionAsyncId, executionAsyncResource } = hooks;
const OWNER = Symbol('owner');

interface Owned {
  [OWNER]?: number;
}

const owner = (): number => (executionAsyncResource() as Owned)[OWNER] ?? 0;

Object.assign(hooks, {
  /** node:test asks for one hook, which keeps tests by the ids of their resources: now only the tests' own ids. */
  createHook: ({ init }: hooks.HookCallbacks) =>
    createHook({
      init(id, type, trigger, resource: Owned) {
        const isTest = type === 'Test';
        if (isTest) init?.(id, type, trigger, resource);
        resource[OWNER] = isTest ? id : owner();
      },
    }),
  /** By this node:test finds whose resource is at work. */
  executionAsyncId: owner,
});
await import('node:test');
Object.assign(hooks, { createHook, executionAsyncId });
