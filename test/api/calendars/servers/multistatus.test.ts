// WebDAV's answers: read whatever a server's prefixes and letters are, and refused where they only cost time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CalendarFailed } from '../../../../api/calendars/servers/calendar-failed.ts';
import { resourcesIn } from '../../../../api/calendars/servers/multistatus.ts';

const BASE = 'https://dav.example.com/anna/';

test('a resource is read by local names, and by the properties that the server has', () => {
  const [one, ...more] = resourcesIn(
    `<?xml version="1.0"?><D:multistatus xmlns:D="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><D:response>
      <D:href>work/</D:href>
      <D:propstat><D:prop><D:getetag/></D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>
      <D:propstat><D:prop><D:resourcetype><D:collection/><c:calendar/></D:resourcetype>
        <D:displayname>Anna &amp; Ben</D:displayname><c:calendar-home-set><D:href>/home/</D:href></c:calendar-home-set>
        <c:calendar-data><![CDATA[BEGIN:VCALENDAR <x>]]></c:calendar-data>
        <c:supported-calendar-component-set><c:comp name="VEVENT"/><c:comp name="VTODO"/></c:supported-calendar-component-set>
      </D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>
      <D:response><D:status>HTTP/1.1 200 OK</D:status></D:response></D:multistatus>`,
    BASE,
  );
  assert.ok(one);
  assert.equal(more.length, 0, 'one without an address is none');
  assert.equal(one.href, 'https://dav.example.com/anna/work/');
  assert.equal(one.text('displayname'), 'Anna & Ben');
  assert.equal(one.text('calendar-data'), 'BEGIN:VCALENDAR <x>');
  assert.equal(one.text('getetag'), null, 'a property that was not found has no text');
  assert.equal(one.hrefIn('calendar-home-set'), 'https://dav.example.com/home/');
  assert.deepEqual(one.namesIn('resourcetype'), ['collection', 'calendar']);
  assert.deepEqual(one.attributesIn('supported-calendar-component-set', 'name'), ['VEVENT', 'VTODO']);
});

test('elements that stand in one another without end are not read', () => {
  const deep = '<a>'.repeat(300_000);
  const answers = {
    bare: deep,
    inside: `<multistatus><response><href>${deep}</href></response></multistatus>`,
    closed: `${deep}${'</a>'.repeat(100_000)}`,
    'behind quotes': '<a b="/>">'.repeat(100_000),
    'behind no quotes': `<a b=c">${deep}"`,
  };
  for (const [name, xml] of Object.entries(answers)) assert.throws(() => resourcesIn(xml, BASE), CalendarFailed, name);
});
