// The `page` and `limit` parameters of every list.
import { type Static, Type } from 'typebox';
import type { Pagination } from './envelope-schema.ts';

/** Larger than any real request; the offset stays a safe integer. */
const PAGE_MAX = 1_000_000_000;

/** Properties of a list's query: spread them into `Type.Object({...pageQuery, …})`. */
export const pageQuery = {
  page: Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: 1 }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
};

/** Of a list that is given whole where neither is there. */
export const optionalPageQuery = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
});

/** The query of a list without filters. */
export const PageQuery = Type.Object(pageQuery);
export type PageQuery = Static<typeof PageQuery>;

export function pagination(page: number, limit: number, total: number): Pagination {
  const totalPages = Math.ceil(total / limit);
  return { page, limit, total, totalPages, hasNext: page < totalPages, hasPrev: page > 1 };
}

export const offsetOf = ({ page, limit }: PageQuery): number => (page - 1) * limit;
