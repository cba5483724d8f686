// All components of the dashboard on one page, for a visual check.
import { useState } from 'preact/hooks';
import { ApiError } from '../../client.ts';
import { formatNumber } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { confirm, Dialog } from '../../ui/dialog.tsx';
import { Checkbox, NumberField, Select, Slider, TextArea, TextField } from '../../ui/fields/field.tsx';
import { Fieldset } from '../../ui/fields/fieldset.tsx';
import { FileField } from '../../ui/fields/file-field.tsx';
import { OrderField } from '../../ui/fields/order-field.tsx';
import { TagsField } from '../../ui/fields/tags-field.tsx';
import { TimeZoneField } from '../../ui/fields/time-zone-field.tsx';
import { History } from '../../ui/history.tsx';
import { Badge, Card, Empty, Facts, Figures, Notice, Page, Progress } from '../../ui/layout.tsx';
import { OptionalSlider } from '../../ui/optional-slider.tsx';
import { Payload } from '../../ui/payload.tsx';
import { Plot } from '../../ui/plot/plot.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { Rows } from '../../ui/rows.tsx';
import { Secret } from '../../ui/secret.tsx';
import { ErrorNotice } from '../../ui/status.tsx';
import { currentTab, Table, Tabs } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';

const TABS: Array<['first' | 'second', string]> = [
  ['first', 'First part'],
  ['second', 'Second part'],
];
const FAULT = new ApiError(
  422,
  'VALIDATION_FAILED',
  'Some fields are not as they should be',
  [{ field: 'name', message: 'must not be empty' }],
  'req_example',
);

export default function ComponentsPage() {
  const [text, setText] = useState('Willow Hair Studio');
  const [number, setNumber] = useState<number | null>(30);
  const [choice, setChoice] = useState<'a' | 'b'>('a');
  const [isChecked, setChecked] = useState(true);
  const [share, setShare] = useState(0.5);
  const [order, setOrder] = useState<Array<'first' | 'second' | 'third'>>(['second', 'first']);
  const [zone, setZone] = useState('Europe/London');
  const [isOpen, setOpen] = useState(false);
  const [words, setWords] = useState(['Balayage', 'Olaplex']);
  const [optional, setOptional] = useState<number | undefined>(undefined);
  const [items, setItems] = useState([{ name: 'Cut and finish' }]);
  return (
    <Page
      title="Components"
      lead="What the pages are built of."
      actions={
        <>
          <Button onClick={() => setOpen(true)}>Open a dialog</Button>
          <Button look="primary" onClick={() => say('Saved')}>
            Show a message
          </Button>
        </>
      }
    >
      <Tabs tabs={TABS} current={currentTab(TABS)} />
      <div class="columns">
        <Card title="Inputs">
          <TextField label="Text" hint="What it is for" value={text} onChange={setText} />
          <TextField label="Text with a fault" fault="must not be empty" value={text} onChange={setText} />
          <NumberField label="Number" value={number} onChange={setNumber} />
          <TextArea label="Longer text" value={text} onChange={setText} />
          <Select
            label="Choice"
            value={choice}
            onChange={setChoice}
            choices={[
              { value: 'a', text: 'One' },
              { value: 'b', text: 'The other' },
            ]}
          />
          <Checkbox label="A switch" hint="What it does" value={isChecked} onChange={setChecked} />
          <TagsField label="Words" values={words} onChange={setWords} />
          <OptionalSlider
            label="May be left out"
            value={optional}
            onChange={setOptional}
            standard={0.4}
            ends={['Less', 'More']}
          />
          <Rows
            items={items}
            onChange={setItems}
            fresh={() => ({ name: '' })}
            itemName="service"
            addText="Add a service"
          >
            {(item, _, change) => <TextField label="Service" value={item.name} onChange={(name) => change({ name })} />}
          </Rows>
          <Slider label="Responsiveness" value={share} onChange={setShare} show={(value) => value.toFixed(2)} />
        </Card>
        <div class="stack">
          <Card title="Buttons">
            <div class="row">
              <Button look="primary" onClick={() => undefined}>
                Primary
              </Button>
              <Button onClick={() => undefined}>Normal</Button>
              <Button look="plain" onClick={() => undefined}>
                Plain
              </Button>
              <Button disabled onClick={() => undefined}>
                Disabled
              </Button>
              <Button
                look="danger"
                onClick={() =>
                  confirm({
                    title: 'Delete it?',
                    text: 'This cannot be undone.',
                    action: 'Delete',
                    perform: async () => say('Deleted'),
                  })
                }
              >
                Danger
              </Button>
            </div>
          </Card>
          <Card title="Words">
            <div class="row">
              <Badge>Draft</Badge>
              <Badge tone="live">In progress</Badge>
              <Badge tone="good">Completed</Badge>
              <Badge tone="warn">Paused</Badge>
              <Badge tone="bad">Failed</Badge>
            </div>
            <Facts
              facts={[
                ['Created', <Time key="time" at="2026-01-05T09:30:00.000Z" />],
                ['Number', '+44 20 7946 0000'],
              ]}
            />
            <Progress label="Contacts called" value={40} max={100} />
          </Card>
          <Notice>Something to know.</Notice>
          <Notice tone="good">It went well.</Notice>
          <Notice tone="warn">Something to look at.</Notice>
          <ErrorNotice error={FAULT} onRetry={() => undefined} />
          <Secret label="Your API key" value="vcs_0123456789abcdef" />
        </div>
      </div>
      <Figures
        figures={[
          ['Live calls', 3],
          ['Answered', '82 %'],
          [
            'Response gap',
            <>
              612 <small key="unit">ms</small>
            </>,
          ],
        ]}
      />
      <Table
        label="An example"
        rows={['Ada', 'Grace']}
        keyOf={(name) => name}
        columns={[
          { title: 'Name', cell: (name) => name },
          { title: 'Calls', isNumber: true, cell: () => 12 },
          {
            title: '',
            cell: () => (
              <Button isSmall onClick={() => undefined}>
                Edit
              </Button>
            ),
          },
        ]}
      />
      <div class="columns">
        <Card title="Groups and files">
          <Fieldset title="Fields that belong together" hint="What they have in common">
            <Checkbox label="One of them" value={isChecked} onChange={setChecked} />
            <FileField label="A file" hint="PDF, up to 10 MB" accept="application/pdf" onChange={() => undefined} />
            <OrderField
              label="Some, in an order"
              value={order}
              onChange={setOrder}
              choices={[
                { value: 'first', text: 'One' },
                { value: 'second', text: 'Another' },
                { value: 'third', text: 'A third' },
              ]}
            />
            <TimeZoneField value={zone} onChange={setZone} />
          </Fieldset>
        </Card>
        <Card title="What has happened">
          <History
            label="History"
            steps={[
              { title: 'Submitted', at: '2026-01-05T09:30:00.000Z', text: 'Both documents are there' },
              { title: 'Completed', at: null },
            ]}
          />
        </Card>
        <Card title="To be read by machines">
          <Payload label="Payload" text='{"type":"call.ended","data":{"id":"call_1"}}' />
          <QrCode text="https://example.com" label="QR code of example.com" />
        </Card>
      </div>
      <Card title="A plot">
        <Plot
          label="An example of a plot"
          labels={['1 May', '2 May', '3 May']}
          format={formatNumber}
          series={[
            { name: 'All', values: [12, 18, 9], token: '--caller', kind: 'bar' },
            { name: 'Inbound', values: [8, 11, 4], token: '--agent', kind: 'bar' },
          ]}
        />
      </Card>
      <Empty title="Nothing here yet" action={<Button onClick={() => undefined}>Do something about it</Button>}>
        What would stand here, and why one would want it.
      </Empty>
      {isOpen && (
        <Dialog title="A dialog" onClose={() => setOpen(false)}>
          <p>Closed by Escape too.</p>
        </Dialog>
      )}
    </Page>
  );
}
