// Describes the answers: successes by their contents, errors as shared components with their possible codes.
import { ERROR_CODES } from '../frame/error-codes.ts';
import type { Document, Json } from './components.ts';
import { HEADERS, headersOfError, headersOfSuccess } from './headers.ts';

const UNDESCRIBED = 'Default Response';

/** Describes the answers of all operations, in place. */
export function describeAnswers(document: Document): void {
  const shared: Record<string, Json> = { Error: anyError(), Error500: errorResponse(500, 'A fault of this service') };
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const responses = operation.responses ?? {};
    operation.responses = responses;
    for (const [status, response] of Object.entries(responses)) {
      if (response.description === UNDESCRIBED) response.description = successText(status, response);
      if (Number(status) < 400) {
        response.headers = headersOfSuccess(operation, status);
        continue;
      }
      shared[`Error${status}`] ??= errorResponse(Number(status), String(response.description));
      responses[status] = { $ref: `#/components/responses/Error${status}` };
    }
    // Every operation can meet a fault of the service, and a refusal from before its own code: a header too long, a
    // method too much, a database that is being upgraded.
    responses[500] = { $ref: '#/components/responses/Error500' };
    responses.default = { $ref: '#/components/responses/Error' };
  }
  document.components.headers = { ...HEADERS };
  document.components.responses = Object.fromEntries(Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function successText(status: string, response: Json): string {
  const { content = {} } = response as { content?: Record<string, { schema?: { $ref?: string } }> };
  const name = Object.values(content)[0]?.schema?.$ref?.split('/').at(-1) ?? '';
  if (name.endsWith('Page')) return 'A page, newest first';
  if (name.endsWith('List')) return 'All of them';
  return status === '201' ? 'Created' : 'Done';
}

function anyError(): Json {
  return {
    description: 'Any other error, in the same envelope',
    headers: headersOfError(null),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        example: { success: false, error: ERROR_CODES.BAD_REQUEST.meaning, code: 'BAD_REQUEST' },
      },
    },
  };
}

function errorResponse(status: number, description: string): Json {
  const codes = Object.entries(ERROR_CODES).filter(([, entry]) => entry.status === status);
  const [[code, { meaning }] = ['BAD_REQUEST', { meaning: '' }]] = codes;
  return {
    description: `${description}. Codes: ${codes.map(([name]) => `\`${name}\``).join(', ')}`,
    headers: headersOfError(status),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        example: {
          success: false,
          error: meaning,
          code,
          ...(status === 422
            ? { errors: [{ field: 'contacts[3].phoneNumber', message: 'must be a valid phone number in E.164 form' }] }
            : {}),
        },
      },
    },
  };
}
