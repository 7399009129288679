import type { ReactElement } from 'react';
import {
  Area,
  AreaChart,
  Bar,
  BarChart,
  CartesianGrid,
  LabelList,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { formatNova } from '@/shared/api';
import type { SeriesDay } from './overview-types';

// Drawn for the eye alone: the words above and the table below the charts say the same.

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const count = new Intl.NumberFormat('en-US');
const dayAndMonth = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' });

const TICK = { fill: 'var(--color-ink-faint)', fontSize: 12 };
const LABEL = { fill: 'var(--color-ink)', fontSize: 12 };
const MARGIN = { top: 28, right: 44, bottom: 0, left: 0 };
/** Two labels at the end of two lines do not cover each other from this distance on, in pixels. */
const LABEL_DISTANCE = 15;
const PLOT_HEIGHT = 160;

interface ChartProps {
  series: readonly SeriesDay[];
}

const dayTick = (day: string): string => dayAndMonth.format(new Date(day));
const nova = (value: unknown): string => `${formatNova(Number(value))} Nova`;

/** What all charts share: days, a unit on the axis, and the exact figures under the pointer. */
function frame(unit: string, format: (value: unknown) => string) {
  return [
    <CartesianGrid key="grid" vertical={false} stroke="var(--color-line)" />,
    <XAxis
      key="days"
      dataKey="day"
      tickFormatter={dayTick}
      tick={TICK}
      tickLine={false}
      axisLine={{ stroke: 'var(--color-line-strong)' }}
      minTickGap={40}
      tickMargin={8}
    />,
    <YAxis
      key="figures"
      width={44}
      tick={TICK}
      tickLine={false}
      axisLine={false}
      allowDecimals={false}
      tickFormatter={(value: number) => compact.format(value)}
      label={{ value: unit, position: 'top', offset: 12, fill: 'var(--color-ink-muted)', fontSize: 12 }}
    />,
    <Tooltip
      key="pointer"
      isAnimationActive={false}
      cursor={{ stroke: 'var(--color-line-strong)', fill: 'var(--color-sky-700)', fillOpacity: 0.5 }}
      contentStyle={{
        background: 'var(--color-sky-700)',
        border: '1px solid var(--color-line-strong)',
        borderRadius: 8,
        fontSize: 12,
      }}
      labelStyle={{ color: 'var(--color-ink-muted)' }}
      itemStyle={{ color: 'var(--color-ink)' }}
      labelFormatter={(day) => (typeof day === 'string' ? weekday.format(new Date(day)) : day)}
      formatter={(value) => format(value)}
    />,
  ];
}

function Drawn({ children }: { children: ReactElement }) {
  return (
    <div aria-hidden="true" className="h-full">
      <ResponsiveContainer>{children}</ResponsiveContainer>
    </div>
  );
}

/** At the end of each day. */
export function CirculationChart({ series }: ChartProps) {
  const last = series.length - 1;
  return (
    <Drawn>
      <AreaChart data={[...series]} margin={MARGIN} accessibilityLayer={false}>
        {frame('Nova', nova)}
        <Area
          dataKey="circulation"
          name="In circulation"
          stroke="var(--color-nova)"
          strokeWidth={2}
          fill="var(--color-nova)"
          fillOpacity={0.12}
          isAnimationActive={false}
        >
          <LabelList
            valueAccessor={(_, index) => (index === last ? compact.format(series[last]?.circulation ?? 0) : '')}
            position="right"
            {...LABEL}
          />
        </Area>
      </AreaChart>
    </Drawn>
  );
}

export const PurchaseChart = ({ series }: ChartProps) => (
  <DailySum series={series} figure="purchased" name="Purchased" />
);
export const GiftChart = ({ series }: ChartProps) => <DailySum series={series} figure="gifted" name="Gifted" />;

/** A bar a day; the highest says how high it is. */
function DailySum({ series, figure, name }: ChartProps & { figure: 'purchased' | 'gifted'; name: string }) {
  const amounts = series.map((day) => day[figure]);
  const highest = amounts.indexOf(Math.max(...amounts));
  const top = amounts[highest] ?? 0;
  return (
    <Drawn>
      <BarChart data={[...series]} margin={MARGIN} accessibilityLayer={false}>
        {frame('Nova', nova)}
        <Bar dataKey={figure} name={name} fill="var(--color-nova)" radius={[3, 3, 0, 0]} isAnimationActive={false}>
          <LabelList
            valueAccessor={(_, index) => (index === highest && top > 0 ? compact.format(top) : '')}
            position="top"
            {...LABEL}
          />
        </Bar>
      </BarChart>
    </Drawn>
  );
}

/** Chats asked for, and those that succeeded; each line has its name at its end. */
export function ChatChart({ series }: ChartProps) {
  const end = series.at(-1);
  const highest = Math.max(
    1,
    ...series.map(({ chatsRequested, chatsSuccessful }) => Math.max(chatsRequested, chatsSuccessful)),
  );
  const gap = (((end?.chatsRequested ?? 0) - (end?.chatsSuccessful ?? 0)) / highest) * PLOT_HEIGHT;
  const push = Math.max(0, (LABEL_DISTANCE - Math.abs(gap)) / 2);
  const lines = [
    { figure: 'chatsRequested', name: 'Requested', colour: 'var(--color-ink-muted)', shift: gap < 0 ? push : -push },
    { figure: 'chatsSuccessful', name: 'Successful', colour: 'var(--color-gain)', shift: gap < 0 ? -push : push },
  ];
  return (
    <Drawn>
      <LineChart data={[...series]} margin={{ ...MARGIN, right: 72 }} accessibilityLayer={false}>
        {frame('Chats', (value) => count.format(Number(value)))}
        {lines.map(({ figure, name, colour, shift }) => (
          <Line
            key={figure}
            dataKey={figure}
            name={name}
            stroke={colour}
            strokeWidth={2}
            dot={false}
            isAnimationActive={false}
          >
            <LabelList content={<EndLabel atIndex={series.length - 1} text={name} colour={colour} shift={shift} />} />
          </Line>
        ))}
      </LineChart>
    </Drawn>
  );
}

interface EndLabelProps {
  atIndex: number;
  text: string;
  colour: string;
  /** Pixels down. */
  shift: number;
  /** Recharts tells these of the point. */
  x?: number | string;
  y?: number | string;
  index?: number;
}

/** The name of a line, behind its last point. */
function EndLabel({ atIndex, text, colour, shift, x = 0, y = 0, index }: EndLabelProps) {
  if (index !== atIndex) return null;
  return (
    <text x={Number(x) + 8} y={Number(y) + shift} dy="0.32em" fontSize={12} fill={colour}>
      {text}
    </text>
  );
}
