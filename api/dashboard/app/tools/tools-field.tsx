// The tools of an agent, a business or a campaign, in order.
import type { ComponentChildren } from 'preact';
import { link } from '../router.ts';
import { OrderField } from '../ui/fields/order-field.tsx';
import { Card } from '../ui/layout.tsx';
import { useAll } from '../use-all.ts';

export function ToolsCard({
  hint,
  fault,
  value,
  onChange,
}: {
  hint: ComponentChildren;
  fault: string | undefined;
  value: readonly string[];
  onChange: (ids: string[]) => void;
}) {
  const { answer, error } = useAll('listTools');
  const known = (answer ?? []).map(({ id, name, description }) => ({ value: id, text: name, hint: description }));
  // Chosen tools are shown before the list is there.
  const others = value.filter((id) => !known.some((each) => each.value === id)).map((id) => ({ value: id, text: id }));
  return (
    <Card title="Tools">
      {answer?.length === 0 && others.length === 0 ? (
        <p class="soft">
          There are none yet. <a href={link('/tools/new')}>Make a tool</a> that asks one of your systems.
        </p>
      ) : (
        <OrderField
          label="Tools that calls may use"
          hint={hint}
          fault={fault ?? error?.message}
          value={value}
          choices={[...known, ...others]}
          onChange={onChange}
        />
      )}
    </Card>
  );
}
