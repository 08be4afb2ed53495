/** Examples of events: emitted, listened to, and starting workflows; and of schedules. */
import type { Json } from '../src/base/json.ts';
import { type Event, event, type Examples, put, type Take } from './examples-case.ts';
import type { Pattern } from './examples-pattern.ts';

const HOSPITAL = 'com.fake-hospital';
const fever = event('1', `${HOSPITAL}.vitals.measurements.temperature`, { temperature: 39 });
const normal = event('2', `${HOSPITAL}.vitals.measurements.temperature`, { temperature: 37 });
const racing = event('3', `${HOSPITAL}.vitals.measurements.bpm`, { bpm: 120 });
const checkedOut = event('4', `${HOSPITAL}.patient.checked-out`, { patient: 7 });
const gossip = event('5', 'com.example.gossip', { said: 'nothing much' });

function publishing(...events: readonly Event[]): NonNullable<Take['meanwhile']> {
  return async ({ publish }) => {
    for (const one of events) await publish(one);
  };
}

const data = (...events: readonly Event[]): Json => events.map((one) => one.data);

export const EVENTS: Examples = {
  'emit.yaml': {
    rows: ['EM-01', 'EM-02', 'EM-05', 'EM-07'],
    takes: [{ ends: { output: placed() }, sends: [placed()] }],
  },
  'listen-to-all.yaml': {
    rows: ['LI-04', 'LI-05', 'LI-12'],
    takes: [
      {
        meanwhile: publishing(normal, racing, fever),
        ends: { output: data(racing, fever) },
      },
    ],
  },
  'listen-to-all read-envelope.yaml': {
    rows: ['LI-06'],
    takes: [
      {
        meanwhile: publishing(normal, racing, fever),
        ends: { output: [racing, fever] },
      },
    ],
  },
  'listen-to-any-filter.yaml': {
    rows: ['LI-02', 'LI-12'],
    takes: [{ meanwhile: publishing(normal, gossip, fever), ends: { output: data(fever) } }],
  },
  'listen-to-any.yaml': {
    rows: ['LI-03'],
    takes: [{ meanwhile: publishing(gossip), ends: { output: data(gossip) } }],
  },
  'listen-to-any-until-condition.yaml': {
    rows: ['LI-07'],
    takes: [
      {
        meanwhile: publishing(gossip, fever, normal, racing),
        ends: { output: data(gossip, fever, normal, racing) },
      },
    ],
  },
  'listen-to-any-until-consumed.yaml': {
    rows: ['LI-09'],
    takes: [
      {
        meanwhile: publishing(fever, normal, racing, checkedOut),
        ends: { output: data(fever, racing) },
      },
    ],
  },
  'listen-to-any-forever-foreach.yaml': {
    rows: ['LI-08', 'LI-17'],
    takes: [
      {
        about: 'it listens for ever; after three events it is cancelled',
        input: { roomId: 'attic' },
        meanwhile: async (stage) => {
          await publishing(gossip, fever, racing)(stage);
          await (await stage.run()).cancel();
        },
        ends: 'cancelled',
        asks: [gossip, fever, racing].map((one) => ({
          ask: 'POST https://fake-chat-api.com/room/attic',
          body: { event: one.data },
        })),
      },
    ],
  },
  'listen-to-one.yaml': {
    rows: ['LI-01'],
    takes: [
      {
        about: 'what a listener heard is a list (A-23) and has no carId, so that is empty',
        input: { carId: 'herbie' },
        meanwhile: publishing(
          event('1', 'com.virtual-wf-powered-race.events.race.started.v1', { race: 1 }),
        ),
        ends: { output: { car: 'started', came: null } },
        asks: ['POST https://virtual-wf-powered-race.com/api/v4/cars//start'],
      },
    ],
  },
};

function placed(): Pattern {
  return {
    specversion: '1.0',
    id: /./,
    source: 'https://petstore.com',
    type: 'com.petstore.order.placed.v1',
    time: /^2026-01-01T00:00:00/,
    datacontenttype: 'application/json',
    data: {
      client: { firstName: 'Cruella', lastName: 'de Vil' },
      items: [{ breed: 'dalmatian', quantity: 101 }],
    },
  };
}

const SENSOR = { source: 'https://my.home.com/sensor', roomid: 'kitchen' };
const temperature = event('1', 'my.home.sensors.temperature', { reading: 21 }, SENSOR);
const elsewhere = event(
  '2',
  'my.home.sensors.humidity',
  { reading: 99 },
  {
    ...SENSOR,
    roomid: 'cellar',
  },
);
const humidity = event('3', 'my.home.sensors.humidity', { reading: 40 }, SENSOR);
const DOCUMENT = 'GET http://myorg.io/ordersservices.json';

export const READINGS: Examples = {
  'accumulate-room-readings.yaml': {
    rows: ['LI-14'],
    takes: [
      {
        about: 'what a listener heard is a list (A-23), and a list has no .data',
        meanwhile: publishing(temperature, elsewhere, humidity),
        ends: {
          error: {
            type: 'https://serverlessworkflow.io/spec/1.0.0/errors/expression',
            status: 400,
            title: /./,
            detail: /Cannot index array with string/,
            instance: '/do/0/consumeReading',
          },
        },
      },
      {
        about: 'with its output made of the list; a reading of another room is not heard',
        text: (text) => put(text, '.data.reading', '"{ readings: map(.reading) }"'),
        meanwhile: publishing(temperature, elsewhere, humidity),
        ends: { output: { report: 'all is well', of: null } },
        asks: [
          DOCUMENT,
          'POST http://myorg.io/readings',
          'POST http://myorg.io/readings',
          'POST http://myorg.io/report',
        ],
      },
    ],
  },
};

const TRIGGER = event('1', 'io.serverlessworkflow.samples.events.trigger.v1', { go: true });
const HEARTBEAT = event('1', 'com.example.hospital.events.patients.heartbeat.low', {
  patient: { id: 'p-1', name: 'John Doe', room: { number: 7 }, vitals: { bpm: 31 } },
  timestamp: '2026-01-01T00:00:00Z',
});
const NOTICE = {
  patientId: 'p-1',
  patientName: 'John Doe',
  roomNumber: 7,
  vitals: { heartRate: 31, timestamp: '2026-01-01T00:00:00Z' },
  message: "Alert: Patient's heartbeat is critically low. Immediate attention required.",
};

export const SCHEDULES: Examples = {
  'schedule-cron.yaml': {
    rows: ['SD-02'],
    takes: [
      {
        startsItself: true,
        meanwhile: ({ advance }) => advance('1d'),
        ends: { output: { backup: 'started', came: null } },
        asks: ['POST https://example.com/api/v1/backup/start'],
      },
    ],
  },
  'schedule-event-driven.yaml': {
    rows: ['SD-04'],
    takes: [
      {
        startsItself: true,
        meanwhile: publishing(HEARTBEAT),
        ends: { output: { nurse: 'called', came: NOTICE } },
        asks: [{ ask: 'POST https://hospital.example.com/api/v1/notify', body: NOTICE }],
      },
    ],
  },
  'set-expression.yaml': {
    rows: ['SE-02', 'SD-04'],
    takes: [{ startsItself: true, meanwhile: publishing(TRIGGER), ends: { output: TRIGGER } }],
  },
  'set.yaml': {
    rows: ['SE-01', 'SD-04'],
    takes: [
      {
        startsItself: true,
        meanwhile: publishing(TRIGGER),
        ends: { output: { startEvent: TRIGGER } },
      },
    ],
  },
};
