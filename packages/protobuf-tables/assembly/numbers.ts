// Numbers as JSON text. Each function writes at q and returns the position after its output.

/** Implemented by the host, for doubles whose text takes long to compute. */
declare function rareDouble(value: f64, q: i32): i32;

/** The two digits of each number below 100. */
const PAIRS: usize = memory.data(200);

/** Call once, before any other function. */
export function beginNumbers(): void {
  for (let n = 0; n < 100; n++) {
    store<u8>(PAIRS + n * 2, 48 + n / 10);
    store<u8>(PAIRS + n * 2 + 1, 48 + (n % 10));
  }
}

export function writeQuoted(n: u64, q: i32): i32 {
  store<u8>(q, 34);
  const end = decimal(n, q + 1);
  store<u8>(end, 34);
  return end + 1;
}

export function quotedSigned(n: i64, q: i32): i32 {
  if (n >= 0) return writeQuoted(<u64>n, q);
  store<u16>(q, 0x2d22);
  const end = decimal(<u64>-n, q + 2);
  store<u8>(end, 34);
  return end + 1;
}

export function writeSigned(n: i32, q: i32): i32 {
  if (n >= 0) return decimal(<u64>n, q);
  store<u8>(q, 45);
  return decimal(<u64>-(<i64>n), q + 1);
}

export function decimal(n: u64, q: i32): i32 {
  if (n < 100_000_000) return short(<u32>n, q);
  const high = n / 100_000_000;
  const low = <u32>(n - high * 100_000_000);
  if (high < 100_000_000) q = short(<u32>high, q);
  else {
    const top = high / 100_000_000;
    q = short(<u32>top, q);
    eight(<u32>(high - top * 100_000_000), q);
    q += 8;
  }
  eight(low, q);
  return q + 8;
}

/** Writes n < 10^8 without leading zeros. */
function short(n: u32, q: i32): i32 {
  if (n < 10) {
    store<u8>(q, 48 + n);
    return q + 1;
  }
  if (n < 100) {
    pair(n, q);
    return q + 2;
  }
  let size = n < 10_000 ? (n < 1000 ? 3 : 4) : n < 1_000_000 ? (n < 100_000 ? 5 : 6) : n < 10_000_000 ? 7 : 8;
  const end = q + size;
  while (size > 1) {
    size -= 2;
    const rest = n / 100;
    pair(n - rest * 100, q + size);
    n = rest;
  }
  if (size === 1) store<u8>(q, 48 + n);
  return end;
}

/** Writes exactly eight digits. */
function eight(n: u32, q: i32): void {
  const high = n / 10_000;
  const low = n - high * 10_000;
  const a = high / 100;
  const b = low / 100;
  pair(a, q);
  pair(high - a * 100, q + 2);
  pair(b, q + 4);
  pair(low - b * 100, q + 6);
}

function pair(n: u32, q: i32): void {
  store<u16>(q, load<u16>(PAIRS + (n << 1)));
}

/** Writes doubles as src/text/doubles.ts does: whole numbers, and up to nine decimals if k / 10^d gives the same double. */
export function double(value: f64, q: i32): i32 {
  const size = abs(value);
  if (!(size < 2147483648 && (size >= 1e-6 || reinterpret<u64>(value) === 0))) return rareDouble(value, q);
  const whole = <u32>size;
  if (<f64>whole === size) return writeSigned(value < 0 ? -(<i32>whole) : <i32>whole, q);
  let k = floor(size * 100 + 0.5);
  let power: f64 = 100;
  if (k / 100 !== size) {
    power = size < 4e6 ? 1e9 : 1e6;
    k = floor(size * power + 0.5);
    if (k / power !== size) return rareDouble(value, q);
  }
  if (value < 0) store<u8>(q++, 45);
  let end = decimal(<u64>whole, q);
  const decimals = <u32>(k - <f64>whole * power);
  store<u8>(end, 46);
  if (power === 100) {
    pair(decimals, end + 1);
    end += 3;
  } else {
    const nine = power === 1e9 ? decimals : decimals * 1000;
    eight(nine / 10, end + 1);
    store<u8>(end + 9, 48 + (nine % 10));
    end += 10;
  }
  while (load<u8>(end - 1) === 48) end--;
  return end;
}
