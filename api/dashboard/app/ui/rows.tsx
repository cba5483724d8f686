// A list edited in place: one row an item, each removable, and a button that adds one.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';

export function Rows<T>({
  items,
  onChange,
  fresh,
  addText,
  itemName,
  empty,
  children,
}: {
  items: readonly T[];
  onChange: (items: T[]) => void;
  /** The initial value of a new row. */
  fresh: () => T;
  addText: string;
  /** "service": for the labels of the buttons. */
  itemName: string;
  empty?: ComponentChildren;
  children: (item: T, index: number, change: (change: Partial<T>) => void) => ComponentChildren;
}) {
  const list = useRef<HTMLDivElement>(null);
  const wasAdded = useRef(false);
  useEffect(() => {
    if (!wasAdded.current) return;
    wasAdded.current = false;
    list.current?.lastElementChild?.querySelector<HTMLElement>('input, textarea, select')?.focus();
  }, [items.length]);
  const change = (index: number, part: Partial<T>) =>
    onChange(items.map((each, at) => (at === index ? { ...each, ...part } : each)));
  return (
    <div class="stack tight">
      {items.length === 0 && empty !== undefined && <p class="soft">{empty}</p>}
      <div class="rows" ref={list}>
        {items.map((item, index) => (
          <fieldset class="rows-item" key={index} aria-label={`${itemName} ${index + 1}`}>
            {children(item, index, (part) => change(index, part))}
            <Button
              isSmall
              look="plain"
              label={t('Remove {name}', { name: `${itemName} ${index + 1}` })}
              onClick={() => onChange(items.filter((_, at) => at !== index))}
            >
              ✕
            </Button>
          </fieldset>
        ))}
      </div>
      <div>
        <Button
          isSmall
          onClick={() => {
            wasAdded.current = true;
            onChange([...items, fresh()]);
          }}
        >
          {addText}
        </Button>
      </div>
    </div>
  );
}
