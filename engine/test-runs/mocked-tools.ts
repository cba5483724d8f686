// The tenants' tools in a test: offered to the model as in a call, and never asked. A case says what each answers; one
// that it does not name answers that it is not mocked.
import { isAsWanted } from '../../db/domain/tests/checks.ts';
import type { EvalDefinition } from '../../db/domain/tests/definitions.ts';
import type { ToolAnswer } from '../../models/tools/tool.ts';
import type { OwnTools } from '../call/own-tools.ts';
import { type Clock, sleep } from '../clock.ts';
import type { CallTool } from '../dialogue/tools/account-tools.ts';

type ToolMock = NonNullable<EvalDefinition['tools']>[number];

export class MockedTools implements OwnTools {
  readonly #real: Pick<OwnTools, 'open'>;
  readonly #mocks: readonly ToolMock[];
  readonly #clock: Clock;
  /** Answers that are still to come. */
  readonly #asked = new Set<Promise<unknown>>();

  constructor(real: Pick<OwnTools, 'open'>, mocks: readonly ToolMock[], clock: Clock) {
    this.#real = real;
    this.#mocks = mocks;
    this.#clock = clock;
  }

  /** The first that fits the arguments. */
  find(name: string, args: Readonly<Record<string, unknown>>): ToolMock | undefined {
    return this.#mocks.find((mock) => mock.name === name && isAsWanted(mock.when ?? {}, args));
  }

  open(rows: Parameters<OwnTools['open']>[0]): ReturnType<OwnTools['open']> {
    const { tools, close } = this.#real.open(rows);
    // Nothing is warmed: no server is asked.
    return { tools: tools.map((tool) => ({ ...tool, ask: this.#askOf(tool) })), warm: () => {}, close };
  }

  async lookUp(): ReturnType<OwnTools['lookUp']> {
    const message = 'Nobody is asked in a test: the case gives the variables.';
    return { ok: false, body: null, result: { ok: false, error: 'refused', message } };
  }

  /** Resolves when all that were asked have answered. */
  async settled(): Promise<void> {
    while (this.#asked.size > 0) await Promise.all(this.#asked);
  }

  #askOf(tool: CallTool): CallTool['ask'] {
    return async (inputs) => {
      const answer = this.#answer(tool, inputs.arguments);
      this.#asked.add(answer);
      try {
        return await answer;
      } finally {
        this.#asked.delete(answer);
      }
    };
  }

  async #answer(tool: CallTool, args: Readonly<Record<string, unknown>>): Promise<ToolAnswer> {
    const { parametersFault } = await import('../../models/tools/parameters.ts');
    const complete = structuredClone(args) as Record<string, unknown>;
    const fault = parametersFault(tool.parameters, complete);
    if (fault !== null) return { ok: false, error: 'bad_arguments', message: fault };
    const mock = this.find(tool.name, complete);
    if (mock === undefined) {
      const message = `The test has no answer for ${tool.name} with these arguments.`;
      return { ok: false, error: 'refused', message };
    }
    if (mock.delayMs !== undefined && mock.delayMs > 0) await sleep(this.#clock, mock.delayMs);
    if (mock.error !== undefined) return { ok: false, error: 'failed', message: mock.error, status: 500 };
    return { ok: true, status: 200, data: mock.result ?? null };
  }
}
