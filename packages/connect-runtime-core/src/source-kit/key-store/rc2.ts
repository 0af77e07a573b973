// RC2 in CBC mode (RFC 2268). Stores of Java 8 and OpenSSL 1 have their certificates in it; the OpenSSL of Node does not decrypt it.

/** The table of RFC 2268, section 2. */
const permutation = Buffer.from(
  'd978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2179a59f587b34f1361456d8d09817d32' +
    'bd8f40eb86b77b0bf09521225c6b4e8254d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626' +
    '6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed708e8eade8052eef784aa72ac354d6a2a' +
    '961ad2715a1549744b9fd05e0418a4ecc2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731' +
    '2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a90d38341bab33ffb0bb480c5fb9b1cd2e' +
    'c5f3db47e5a59c770aa62068fe7fc1ad',
  'hex',
);
const BLOCK = 8;
const rotations = [1, 2, 3, 5] as const;
/** Mixing rounds; between them is one of mashing. */
const mixing = [5, 6, 5] as const;

/** Decrypts and removes the padding. All bits of the key count. Throws an Error when the padding is wrong: most likely the key is. */
export function decryptRc2Cbc(key: Buffer, iv: Buffer, data: Buffer): Buffer {
  if (data.length === 0 || data.length % BLOCK !== 0) throw new Error('RC2 data is not made of whole blocks');
  const words = expandKey(key);
  const plain = Buffer.alloc(data.length);
  let previous = iv;
  for (let at = 0; at < data.length; at += BLOCK) {
    const block = data.subarray(at, at + BLOCK);
    decryptBlock(words, block).forEach((word, index) => {
      plain.writeUInt16LE(word ^ previous.readUInt16LE(2 * index), at + 2 * index);
    });
    previous = block;
  }
  const padding = plain.at(-1) ?? 0;
  const isPadded =
    padding > 0 && padding <= BLOCK && plain.subarray(-padding).every((octet) => octet === padding);
  if (!isPadded) throw new Error('RC2 data has a wrong padding');
  return plain.subarray(0, -padding);
}

function expandKey(key: Buffer): Uint16Array {
  const size = key.length;
  const octets = new Uint8Array(128);
  octets.set(key);
  const at = (index: number): number => octets[index] ?? 0;
  const permute = (value: number): number => permutation[value & 0xff] ?? 0;
  for (let index = size; index < 128; index += 1) octets[index] = permute(at(index - 1) + at(index - size));
  octets[128 - size] = permute(at(128 - size));
  for (let index = 127 - size; index >= 0; index -= 1) {
    octets[index] = permute(at(index + 1) ^ at(index + size));
  }
  return Uint16Array.from({ length: 64 }, (_, index) => at(2 * index) | (at(2 * index + 1) << 8));
}

/** The four words of a block. They wrap at 16 bits, as the array does. */
function decryptBlock(key: Uint16Array, block: Buffer): Uint16Array {
  const words = Uint16Array.from({ length: 4 }, (_, index) => block.readUInt16LE(2 * index));
  const word = (index: number): number => words[(index + 4) % 4] ?? 0;
  let next = 63;
  mixing.forEach((rounds, phase) => {
    for (let index = 3; phase > 0 && index >= 0; index -= 1) {
      words[index] = word(index) - (key[word(index - 1) & 63] ?? 0);
    }
    for (let step = 4 * rounds - 1; step >= 0; step -= 1) {
      const index = step % 4;
      const bits = rotations[index] ?? 0;
      const rotated = (word(index) >>> bits) | (word(index) << (16 - bits));
      const mixed = (word(index - 1) & word(index - 2)) + (~word(index - 1) & word(index - 3));
      words[index] = rotated - (key[next] ?? 0) - mixed;
      next -= 1;
    }
  });
  return words;
}
