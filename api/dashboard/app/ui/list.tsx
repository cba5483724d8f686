// A list of the service, page by page: the table and the way to the other pages, or what is said where it is empty.
import type { ComponentChildren } from 'preact';
import type { Pagination } from '../api-types.ts';
import type { Loaded } from '../use-api.ts';
import { Answer } from './status.tsx';
import { Pages, Table, type TableProps } from './table.tsx';

interface ListProps<T> extends Omit<TableProps<T>, 'rows'> {
  of: Loaded<{ data: T[]; pagination: Pagination }>;
  /** In place of the table where there is nothing. */
  empty?: ComponentChildren;
}

export function List<T>({ of, empty, ...table }: ListProps<T>) {
  return (
    <Answer of={of}>
      {({ data, pagination }) =>
        pagination.total === 0 && empty !== undefined ? (
          empty
        ) : (
          <>
            <Table rows={data} {...table} />
            <Pages of={pagination} />
          </>
        )
      }
    </Answer>
  );
}
