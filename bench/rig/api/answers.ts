// Each endpoint's response, typed by method and path, from the operations of the OpenAPI document: the same types that
// the dashboard uses. A test that reads a field which no response has does not compile.
import type { ADDRESSES } from '../../../api/dashboard/app/api-addresses.ts';
import type { Operations } from '../../../api/dashboard/app/api-operations.ts';
import type { Session } from '../../../api/dashboard/app/api-types.ts';
import type { Pagination } from '../../../api/frame/envelope-schema.ts';
import type { ErrorCode } from '../../../api/frame/error-codes.ts';
import type { FieldError } from '../../../api/frame/errors.ts';

type Answers = {
  [Name in keyof Operations as `${(typeof ADDRESSES)[Name][0]} ${(typeof ADDRESSES)[Name][1]}`]: Operations[Name]['answer'];
};

/** If the user has a second factor: `requires2FA` and `pendingToken` instead of the session. */
interface LoginAnswer {
  data: Session & { requires2FA?: true; pendingToken: string };
}
type Endpoints = Omit<Answers, 'POST /auth/login'> & { 'POST /auth/login': LoginAnswer };

type WithoutQuery<Path extends string> = Path extends `${infer Before}?${string}` ? Before : Path;

/** Whether a path's segments match an endpoint's; `agents${string}` is `agents` with a query string. */
type Fits<Path extends string, Pattern extends string> = Pattern extends `${infer First}/${infer Rest}`
  ? Path extends `${infer Head}/${infer Tail}`
    ? SegmentFits<Head, First> extends true
      ? Fits<Tail, Rest>
      : false
    : false
  : Path extends `${string}/${string}`
    ? false
    : SegmentFits<Path, Pattern>;

type SegmentFits<Segment extends string, Pattern extends string> = Pattern extends `{${string}}`
  ? true
  : Segment extends Pattern | `${Pattern}${string}`
    ? true
    : false;

type EndpointOf<Method extends string, Path extends string> = {
  [Name in keyof Endpoints]: Name extends `${infer Verb} ${infer Pattern}`
    ? Verb extends Method
      ? Fits<WithoutQuery<Path>, Pattern> extends true
        ? Name
        : never
      : never
    : never;
}[keyof Endpoints];

/** Of two matching endpoints, such as `/calls/web` and `/calls/{id}`, the one without parameters. */
type Exact<Name extends string> =
  Exclude<Name, `${string}{${string}`> extends never ? Name : Exclude<Name, `${string}{${string}`>;

/** Distributes over a union of paths. */
type Answered<Method extends string, Path extends string> = Path extends string
  ? string extends Path
    ? unknown
    : [EndpointOf<Method, Path>] extends [never]
      ? unknown
      : Endpoints[Exact<EndpointOf<Method, Path>> & keyof Endpoints]
  : never;

export interface Envelope<Data> {
  success: boolean;
  data: Data;
  warnings?: string[];
  error?: string;
  code?: ErrorCode;
  errors?: FieldError[];
}

/** The JSON of a response. Success fields exist on a 2xx only: tests check the status first. */
export type AnswerJson<Method extends string, Path extends string> =
  Answered<Method, Path> extends { data: infer Data; pagination: Pagination }
    ? Envelope<Data> & { pagination: Pagination }
    : Envelope<Answered<Method, Path> extends { data: infer Data } ? Data : unknown>;
