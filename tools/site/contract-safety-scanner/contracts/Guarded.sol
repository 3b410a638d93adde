// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
import {Base20, Owned20} from "./Incidents.sol";

/// Powers that are hard to exercise from outside, each beside something that looks like it and is none.

/// The owner prints, once a word is said that no trial guesses.
contract WordMintToken is Owned20 {
    function note(address to, uint256 value, string calldata word) external onlyOwner {
        require(keccak256(bytes(word)) == keccak256("marigold under the third step"), "word");
        totalSupply += value;
        bal[to] += value;
    }
}

/// The same word only changes a text.
contract WordNoteToken is Owned20 {
    string public text;

    function note(address, uint256, string calldata word) external onlyOwner {
        require(keccak256(bytes(word)) == keccak256("marigold under the third step"), "word");
        text = word;
    }
}

/// Printing costs an odd sum.
contract PaidMintToken is Owned20 {
    function feed(address to, uint256 value) external payable onlyOwner {
        require(msg.value * 3 + 11 == 1_000_000_000_000_000_046, "sum");
        totalSupply += value;
        bal[to] += value;
    }
}

/// The owner prints from the second year on.
contract LateMintToken is Owned20 {
    uint256 private immutable born = block.timestamp;

    function bloom(address to, uint256 value) external onlyOwner {
        require(block.timestamp > born + 400 days, "early");
        totalSupply += value;
        bal[to] += value;
    }
}

/// The owner could print, until a day that is over.
contract ExpiredMintToken is Owned20 {
    uint256 private immutable until = block.timestamp - 1;

    function bloom(address to, uint256 value) external onlyOwner {
        require(block.timestamp <= until, "late");
        totalSupply += value;
        bal[to] += value;
    }
}

/// Whoever brings a paper that one key has signed prints.
contract SignedMintToken is Base20 {
    address public immutable signer;
    mapping(bytes32 => bool) public used;

    constructor(address signer_) {
        signer = signer_;
    }

    function redeem(address to, uint256 value, uint256 number, bytes calldata signature) external {
        bytes32 digest = keccak256(abi.encode(address(this), block.chainid, to, value, number));
        require(!used[digest], "used");
        require(ECDSA.recover(digest, signature) == signer, "paper");
        used[digest] = true;
        totalSupply += value;
        bal[to] += value;
    }
}

/// The owner loads today and prints tomorrow.
contract ArmedMintToken is Owned20 {
    bytes32 private plan;
    uint256 private since;

    function load(bytes32 plan_) external onlyOwner {
        plan = plan_;
        since = block.timestamp;
    }

    function fire(address to, uint256 value, bytes32 salt) external onlyOwner {
        require(plan == keccak256(abi.encode(to, value, salt)) && block.timestamp > since + 1 days, "plan");
        totalSupply += value;
        bal[to] += value;
    }
}

/// The same without anything that loads.
contract DisarmedMintToken is Owned20 {
    bytes32 private plan;

    function fire(address to, uint256 value, bytes32 salt) external onlyOwner {
        require(plan == keccak256(abi.encode(to, value, salt)), "plan");
        totalSupply += value;
        bal[to] += value;
    }
}

/// A list of printers that is written once, without telling anybody.
contract QuietListToken is Base20 {
    mapping(address => uint256) private rank;

    constructor(address one) {
        rank[one] = 7;
    }

    function top(address to, uint256 value) external {
        require(rank[msg.sender] == 7, "rank");
        totalSupply += value;
        bal[to] += value;
    }
}

/// Who may stop holders is only kept as the root of a tree of addresses.
contract RootFreezeToken is Base20 {
    bytes32 private immutable root;
    mapping(address => bool) private still;

    constructor(bytes32 root_) {
        root = root_;
    }

    function quiet(address who, bool is_, bytes32[] calldata proof) external {
        require(MerkleProof.verifyCalldata(proof, root, keccak256(abi.encodePacked(msg.sender))), "proof");
        still[who] = is_;
    }

    function _move(address from, address to, uint256 value) internal override {
        require(!still[from], "still");
        super._move(from, to, value);
    }
}

/// An airdrop: each on the tree gets what is due, once.
contract RootDrop {
    Base20 public immutable token;
    bytes32 public immutable root;
    mapping(address => bool) public taken;

    constructor(Base20 token_, bytes32 root_) {
        token = token_;
        root = root_;
    }

    function claim(uint256 value, bytes32[] calldata proof) external {
        require(!taken[msg.sender], "taken");
        bytes32 leaf = keccak256(bytes.concat(keccak256(abi.encode(msg.sender, value))));
        require(MerkleProof.verifyCalldata(proof, root, leaf), "proof");
        taken[msg.sender] = true;
        token.transfer(msg.sender, value);
    }
}

/// Commands of one byte, which no list of functions shows.
contract ByteDoorToken is Owned20 {
    fallback() external {
        if (uint8(msg.data[0]) == 0x7f && msg.sender == owner) {
            uint256 value = uint256(bytes32(msg.data[1:33]));
            totalSupply += value;
            bal[owner] += value;
        }
    }
}

/// One byte asks for a greeting.
contract ByteBellToken is Owned20 {
    event Rung(address indexed by);

    fallback() external {
        if (uint8(msg.data[0]) == 0x7f && msg.sender == owner) emit Rung(msg.sender);
    }
}

/// Whoever knows a word gets what they ask for.
contract SecretMintToken is Base20 {
    function open(bytes32 word, uint256 value) external {
        require(keccak256(abi.encode(word)) == 0x8f1cf1d4c2e0d1b1a0f6b4ac5b9c6e50c8a3a7ecf71d7d92ac4df0e3a51b9e77);
        totalSupply += value;
        bal[msg.sender] += value;
    }
}

/// A sum waits for whoever was named and knows the word; after a day it goes back.
contract HashLock {
    struct Lock {
        address from;
        address to;
        uint256 value;
        uint256 until;
    }

    mapping(bytes32 => Lock) public locks;

    function put(bytes32 hash, address to) external payable {
        require(locks[hash].value == 0 && msg.value > 0, "put");
        locks[hash] = Lock(msg.sender, to, msg.value, block.timestamp + 1 days);
    }

    function take(bytes32 word) external {
        bytes32 hash = keccak256(abi.encode(word));
        Lock memory lock = locks[hash];
        require(lock.value > 0, "none");
        delete locks[hash];
        payable(lock.to).transfer(lock.value);
    }

    function back(bytes32 hash) external {
        Lock memory lock = locks[hash];
        require(lock.value > 0 && block.timestamp > lock.until, "wait");
        delete locks[hash];
        payable(lock.from).transfer(lock.value);
    }
}

/// Many at once, in a list of pairs.
contract PairsMintToken is Owned20 {
    struct Item {
        address to;
        uint256 value;
    }

    function share(Item[] calldata items) external onlyOwner {
        for (uint256 i = 0; i < items.length; i++) {
            require(items[i].value > 0 && items[i].to != address(0), "item");
            totalSupply += items[i].value;
            bal[items[i].to] += items[i].value;
        }
    }
}

/// What is to be done comes packed, with a version in front.
contract PackedMintToken is Owned20 {
    function run(bytes calldata job) external onlyOwner {
        require(job.length == 57 && uint8(job[0]) == 3 && bytes4(job[1:5]) == 0x5a17c0de, "job");
        uint256 value = uint256(bytes32(job[25:57]));
        totalSupply += value;
        bal[address(bytes20(job[5:25]))] += value;
    }
}

/// Two of three must say yes to the same sum.
contract TwoVoicesToken is Base20 {
    mapping(address => bool) public isVoice;
    mapping(bytes32 => address) private first;

    constructor(address a, address b, address c) {
        isVoice[a] = isVoice[b] = isVoice[c] = true;
    }

    function grow(address to, uint256 value) external {
        require(isVoice[msg.sender], "voice");
        bytes32 id = keccak256(abi.encode(to, value));
        if (first[id] == address(0)) {
            first[id] = msg.sender;
            return;
        }
        require(first[id] != msg.sender, "twice");
        delete first[id];
        totalSupply += value;
        bal[to] += value;
    }
}

/// The key of a guardian stands for everybody's signature.
contract GuardianPermitToken is Base20 {
    address private guardian = msg.sender;
    mapping(address => uint256) public nonces;

    function permit(address from, address to, uint256 value, uint256 until, uint8 v, bytes32 r, bytes32 s) external {
        require(block.timestamp <= until, "late");
        bytes32 digest = keccak256(abi.encode(address(this), block.chainid, from, to, value, nonces[from]++, until));
        address by = ecrecover(digest, v, r, s);
        require(by != address(0) && (by == from || by == guardian), "by");
        allowance[from][to] = value;
    }
}

/// Without a delay, whoever may propose may do.
contract TimelockNow is TimelockController {
    constructor(address[] memory few) TimelockController(0, few, few, address(0)) {}
}

/// owner() says nobody, and the former one can come back.
contract ReturningOwnerToken is Owned20 {
    address private former;
    uint256 private until;

    function rest(uint256 time) external onlyOwner {
        former = owner;
        until = block.timestamp + time;
        owner = address(0);
    }

    function wake() external {
        require(msg.sender == former && block.timestamp > until, "rest");
        owner = former;
    }

    function print(address to, uint256 value) external onlyOwner {
        totalSupply += value;
        bal[to] += value;
    }
}

/// The owner is a multisig; one key was asked to follow and only needs to say yes.
contract FollowedToken is Base20 {
    address public owner;
    address private next;

    constructor(address owner_, address next_) {
        owner = owner_;
        next = next_;
    }

    function follow() external {
        require(msg.sender == next, "next");
        owner = next;
        next = address(0);
    }

    function print(address to, uint256 value) external {
        require(msg.sender == owner, "owner");
        totalSupply += value;
        bal[to] += value;
    }
}

/// A vote of shares decides what a token does.
contract SmallGovernor {
    Base20 public immutable token;
    uint256 public immutable votingPeriod;
    struct Plan {
        address to;
        bytes data;
        uint256 until;
        uint256 yes;
        uint256 no;
        bool done;
    }
    Plan[] public plans;
    mapping(uint256 => mapping(address => bool)) public voted;
    event Cast(address indexed voter, uint256 weight);

    constructor(Base20 token_, uint256 period) {
        token = token_;
        votingPeriod = period;
    }

    function quorum(uint256) public view returns (uint256) {
        return token.totalSupply() / 10;
    }

    function getVotes(address who, uint256) public view returns (uint256) {
        return token.balanceOf(who);
    }

    function propose(address to, bytes calldata data) external {
        require(getVotes(msg.sender, 0) > 0, "share");
        plans.push(Plan(to, data, block.timestamp + votingPeriod, 0, 0, false));
    }

    function vote(uint256 id, bool yes) external {
        require(!voted[id][msg.sender] && block.timestamp <= plans[id].until, "vote");
        voted[id][msg.sender] = true;
        uint256 weight = getVotes(msg.sender, 0);
        if (yes) plans[id].yes += weight;
        else plans[id].no += weight;
        emit Cast(msg.sender, weight);
    }

    function execute(uint256 id) external {
        Plan storage plan = plans[id];
        require(!plan.done && block.timestamp > plan.until && plan.yes > plan.no && plan.yes >= quorum(0), "plan");
        plan.done = true;
        (bool ok, ) = plan.to.call(plan.data);
        require(ok, "failed");
    }
}
