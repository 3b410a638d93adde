// Creation code that nobody deploys: an eth_call runs it, and what it would have left as code is the answer.
// After it come the number of reads and of words they answer with (two bytes each), then the reads.
object "BoundedReads" {
  code {
    let at := datasize("BoundedReads")
    codecopy(0, at, 4)
    let count := shr(240, mload(0))
    let words := and(shr(224, mload(0)), 0xffff)
    mstore(0, 0)
    at := add(at, 4)
    // One byte a read for whether it answered, then the words of all reads, then room to work in.
    let out := count
    let size := add(count, mul(words, 32))
    let room := add(size, 64)
    // Leaving a byte of code costs 200 gas, which the contracts that are read must not be able to use up.
    let reserve := add(mul(size, 200), 30000)
    for { let i := 0 } lt(i, count) { i := add(i, 1) } {
      // Contract (20 bytes), kind, words wanted, length of the call data (one byte each), call data.
      codecopy(room, at, 23)
      let head := mload(room)
      let target := shr(96, head)
      let kind := and(shr(88, head), 0xff)
      let wanted := and(shr(80, head), 0xff)
      let length := and(shr(72, head), 0xff)
      codecopy(room, add(at, 23), length)
      at := add(at, add(23, length))
      switch kind
      case 1 {
        mstore8(i, 1)
        mstore(out, timestamp())
      }
      case 2 {
        let bytes := extcodesize(target)
        if eq(bytes, 23) {
          // An account that delegates (EIP-7702) is an account.
          mstore(room, 0)
          extcodecopy(target, room, 0, 3)
          if eq(shr(232, mload(room)), 0xef0100) { bytes := 0 }
        }
        mstore8(i, 1)
        mstore(out, bytes)
      }
      default {
        // Whatever a contract does with its part of the gas, the others keep theirs.
        let share := 0
        if gt(gas(), reserve) { share := div(sub(gas(), reserve), sub(count, i)) }
        if gt(share, 500000) { share := 500000 }
        // Never more is copied than was asked for, however much a contract returns.
        let answered := staticcall(share, target, room, length, out, mul(wanted, 32))
        switch and(answered, gt(returndatasize(), 31))
        case 1 { mstore8(i, 1) }
        // What a contract says while it refuses is no answer.
        default { calldatacopy(out, calldatasize(), mul(wanted, 32)) }
      }
      out := add(out, mul(wanted, 32))
    }
    return(0, size)
  }
}
