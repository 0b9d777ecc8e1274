import unittest

from basket import add


class BasketTest(unittest.TestCase):
    def test_adds_to_a_given_basket(self):
        self.assertEqual(add("tea", ["milk"]), ["milk", "tea"])


if __name__ == "__main__":
    unittest.main()
