import Box from '@mui/material/Box';
import type { Theme } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { Fragment, type ReactNode } from 'react';

interface PlainTableProps<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly (readonly [label: string, show: (row: Row) => ReactNode])[];
  /** What is said where there are no rows. */
  readonly empty: string;
}

/** Rows that are all shown at once: a table, or on a phone one list of labels and values for each row. */
export function PlainTable<Row>({ empty, ...table }: PlainTableProps<Row>) {
  const isPhone = useMediaQuery<Theme>((theme) => theme.breakpoints.down('sm'), { noSsr: true });
  if (table.rows.length === 0) return <Typography color="textSecondary">{empty}</Typography>;
  return isPhone ? <Stacked {...table} /> : <Wide {...table} />;
}

type RowsProps<Row> = Omit<PlainTableProps<Row>, 'empty'>;

function Stacked<Row>({ rows, keyOf, columns }: RowsProps<Row>) {
  return rows.map((row) => (
    <Box
      key={keyOf(row)}
      component="dl"
      sx={{
        display: 'grid',
        gridTemplateColumns: 'minmax(6rem, auto) 1fr',
        columnGap: 2,
        rowGap: 0.5,
        m: 0,
        py: 1.5,
        borderBottom: 1,
        borderColor: 'divider',
        fontSize: 'body2.fontSize',
        '&:last-of-type': { borderBottom: 0 },
      }}
    >
      {columns.map(([label, show]) => (
        <Fragment key={label}>
          <Box component="dt" sx={{ color: 'text.secondary' }}>
            {label}
          </Box>
          <Box component="dd" sx={{ m: 0, minWidth: 0, overflowWrap: 'anywhere' }}>
            {show(row)}
          </Box>
        </Fragment>
      ))}
    </Box>
  ));
}

function Wide<Row>({ rows, keyOf, columns }: RowsProps<Row>) {
  return (
    <Box sx={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-label="Table">
      <Table size="small">
        <TableHead>
          <TableRow>
            {columns.map(([label]) => (
              <TableCell key={label}>{label}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)}>
              {columns.map(([label, show]) => (
                <TableCell key={label}>{show(row)}</TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}
