// Converts a tool to the values of its form, and back to a body.
import type { CreateToolBody, Tool, UpdateToolBody } from '../../api-types.ts';
import { refuseFaults } from '../../field-faults.ts';
import {
  type HeadersValue,
  headersBody,
  headersFaults,
  headersOf,
  setHeadersBody,
} from '../../headers/headers-value.ts';
import { readObject } from '../../json-object.ts';
import { type ParametersValue, parametersFault, parametersOf } from '../../schema/parameter-rows.ts';
import { t } from '../../words/words.ts';

interface Assignment {
  variable: string;
  path: string;
}

export interface ToolValues
  extends Pick<Tool, 'name' | 'description' | 'kind' | 'url' | 'method' | 'mode' | 'when' | 'onInterruption' | 'only'> {
  headers: HeadersValue;
  parameters: ParametersValue;
  /** Null: the default. */
  timeoutMs: number | null;
  sayWhile: string;
  assign: Assignment[];
}

export const TIMEOUT_MS = 5_000;

export const NEW_TOOL: ToolValues = {
  kind: 'http',
  name: '',
  description: '',
  url: '',
  method: 'POST',
  headers: headersOf([]),
  parameters: parametersOf({ type: 'object', properties: {} }),
  timeoutMs: null,
  mode: 'wait',
  sayWhile: '',
  assign: [],
  when: [],
  onInterruption: 'finish',
  only: null,
};

export function valuesOfTool(tool: Tool): ToolValues {
  const { kind, name, description, url, method, timeoutMs, mode, when, onInterruption, only } = tool;
  return {
    ...{ kind, name, description, url, method, timeoutMs, mode, when, onInterruption, only },
    headers: headersOf(tool.headerNames),
    parameters: parametersOf(tool.parameters),
    sayWhile: tool.sayWhile ?? '',
    assign: Object.entries(tool.assign).map(([variable, path]) => ({ variable, path })),
  };
}

/** @throws {ApiError} for what the form itself finds wrong */
export function updateBodyOf(changes: Partial<ToolValues>): UpdateToolBody {
  const { headers, parameters, assign, timeoutMs, sayWhile, ...plain } = changes;
  const fault = parameters === undefined ? null : parametersFault(parameters);
  refuseFaults([
    ...(headers === undefined ? [] : headersFaults(headers, 'headers')),
    ...(fault === null ? [] : [{ field: 'parameters', message: fault }]),
    ...assignFaults(assign ?? []),
  ]);
  const sent = headers === undefined ? undefined : headersBody(headers);
  const setHeaders = headers === undefined ? undefined : setHeadersBody(headers);
  return {
    ...plain,
    ...(sent === undefined ? {} : { headers: sent }),
    ...(setHeaders === undefined ? {} : { setHeaders }),
    ...(parameters === undefined ? {} : { parameters: readObject(parameters.json).value ?? {} }),
    ...(assign === undefined
      ? {}
      : { assign: Object.fromEntries(assign.map(({ variable, path }) => [variable.trim(), path.trim()])) }),
    ...(timeoutMs === undefined ? {} : { timeoutMs: timeoutMs ?? TIMEOUT_MS }),
    ...(sayWhile === undefined ? {} : { sayWhile: sayWhile.trim() === '' ? null : sayWhile }),
  };
}

/** @throws {ApiError} for what the form itself finds wrong */
export function createBodyOf(values: ToolValues): CreateToolBody {
  const { name, description, url, kind } = values;
  const { parameters, method, only, setHeaders: _, ...both } = updateBodyOf(values);
  return { ...both, ...(kind === 'mcp' ? { only } : { parameters, method }), name, description, url };
}

const assignFaults = (assign: readonly Assignment[]) =>
  assign.flatMap(({ variable }, index) =>
    assign.findIndex((each) => each.variable.trim() === variable.trim()) < index
      ? [{ field: `assign.${variable.trim()}`, message: t('stands there twice') }]
      : [],
  );
